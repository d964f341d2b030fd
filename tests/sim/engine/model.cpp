#include "tests/sim/engine/model.hpp"

#include <algorithm>

#include "tests/sim/engine/model_parts.hpp"

namespace parley::sim {
namespace {

using Effects = std::vector<Effect>;

Effects refuse(const Shape& shape, int status) {
  return {{shape, {status, 0}}};
}
Effects done(Shape after, std::uint64_t detail) {
  return {{std::move(after), {200, detail}}};
}
Effects done_on(Shape after, const Name& name) {
  const One& one = *after.find(name);
  const auto detail = phase_detail(one.status, one.is_ended, one.is_claimed);
  return done(std::move(after), detail);
}

bool is_closed(const One& one) {
  return is_over(one.status) || one.is_claimed;
}

/// An action can be registered only once per turn. Two names are in use.
bool is_registered(const One& one, std::uint32_t value) {
  std::uint32_t last_turn = 0;
  for (const Said& said : one.talk) {
    if (said.sort == Said::Sort::turn) last_turn = std::max(last_turn, said.born + 1);
  }
  return std::any_of(one.talk.begin(), one.talk.end(), [&](const Said& said) {
    return said.sort == Said::Sort::registers && !said.is_inserted && said.born >= last_turn &&
           said.token % 2 == value;
  });
}

Effects add_entry(const Shape& shape, const Op& op) {
  const One& one = *shape.find(op.target);
  if (is_closed(one)) return refuse(shape, 409);
  const bool speaks = op.deed == Deed::post || op.deed == Deed::insert;
  if (one.kind == Kind::driven && speaks) return refuse(shape, 409);
  if (op.deed == Deed::registers && is_registered(one, op.token % 2)) return refuse(shape, 400);
  Shape after = shape;
  One& mine = *after.find(op.target);
  const auto sort = op.deed == Deed::tool        ? Said::Sort::tool
                    : op.deed == Deed::registers ? Said::Sort::registers
                                                 : Said::Sort::message;
  const bool says_hello = sort == Said::Sort::message && op.value % 3 == 0;
  if (op.deed != Deed::insert) {
    say(mine, op.token, sort);
    mine.talk.back().says_hello = says_hello;
  } else {
    const auto anchor = std::find_if(mine.talk.begin(), mine.talk.end(),
                                     [&](const Said& said) { return said.token == op.anchor; });
    if (anchor == mine.talk.end()) return {};
    Said said;
    said.token = op.token;
    said.is_inserted = true;
    said.says_hello = says_hello;
    said.born = static_cast<std::uint32_t>(mine.talk.size());
    mine.talk.insert(op.is_after ? anchor + 1 : anchor, said);
  }
  const std::uint64_t entries = mine.talk.size();
  return done(std::move(after), entries);
}

Effects merge(const Shape& shape, const Op& op) {
  Shape after = shape;
  One& one = *after.find(op.target);
  const auto entry = std::find_if(one.talk.begin(), one.talk.end(),
                                  [&](const Said& said) { return said.token == op.anchor; });
  if (entry == one.talk.end()) return {};
  if (is_closed(one)) return refuse(shape, 409);
  entry->merged |= std::uint64_t{1} << op.token;
  return done(std::move(after), 0);
}

Effects next(const Shape& shape, const Op& op, const Facts& facts) {
  const One& one = *shape.find(op.target);
  if (is_over(one.status) || one.is_ended) return done(shape, end_detail);
  if (one.kind != Kind::client) return refuse(shape, 409);
  if (const Said* turn = unanswered(one)) return done(shape, turn->token);
  Shape after = shape;
  One& mine = *after.find(op.target);
  const std::uint32_t turn = turns_of(one);
  if (one.is_free && turn < turns_max_of(facts.says)) {
    if (mine.status == Status::pending) mine.status = Status::running;
    after.awaited.insert(one.name);
    return done(std::move(after), later_detail);
  }
  if (one.is_free || turn >= facts.says) {
    end(mine);
    return done(std::move(after), end_detail);
  }
  say(mine, turn_base + turn, Said::Sort::turn);
  return done(std::move(after), turn_base + turn);
}

Effects finish(const Shape& shape, const Op& op) {
  const One& one = *shape.find(op.target);
  if (is_over(one.status)) return refuse(shape, 400);
  if (one.is_claimed) return refuse(shape, 409);
  if (!one.is_ended && one.kind != Kind::person) return refuse(shape, 400);
  Shape after = shape;
  One& mine = *after.find(op.target);
  if (!mine.is_ended) end(mine);
  mine.is_claimed = true;
  return done_on(std::move(after), op.target);
}

/// D46 and the rows of the state table.
Effects put_status(const Shape& shape, const Op& op, Status to) {
  const One& one = *shape.find(op.target);
  if (one.status == to) return done_on(shape, op.target);
  Shape after = shape;
  One& mine = *after.find(op.target);
  if (to == Status::running) {
    if (one.status != Status::pending) return refuse(shape, 409);
    mine.status = to;
    return done_on(std::move(after), op.target);
  }
  if (to == Status::canceled && one.status != Status::failed) {
    close(mine, to);
    return done_on(std::move(after), op.target);
  }
  if (to == Status::failed && !is_over(one.status) && !one.is_claimed) {
    close(mine, to);
    return done_on(std::move(after), op.target);
  }
  return refuse(shape, 409);
}

Effects put_mode(const Shape& shape, const Op& op, bool is_manual) {
  const One& one = *shape.find(op.target);
  if (one.is_manual == is_manual) return done_on(shape, op.target);
  if (is_over(one.status) || one.is_claimed || (one.is_ended && is_manual)) return refuse(shape, 409);
  Shape after = shape;
  One& mine = *after.find(op.target);
  mine.is_manual = is_manual;
  if (mine.is_ended) mine.is_claimed = true;
  return done_on(std::move(after), op.target);
}

Shape retried(const Shape& shape, const Op& op) {
  Shape after = shape;
  One& newest = after.newest(op.target.root);
  const std::uint32_t generation = newest.name.generation + 1;
  close(newest, Status::canceled);
  newest.is_retired = true;
  One& mine = *after.find(op.target);
  close(mine, Status::canceled);
  mine.is_retired = true;
  One clone;
  clone.name = {op.target.root, generation};
  clone.kind = mine.kind;
  clone.is_manual = mine.is_manual;
  clone.is_free = mine.is_free;
  clone.is_preview = mine.is_preview;
  if (is_over(after.run) && !clone.is_preview) {
    after.run = RunState::running;
    after.canceled = Canceled::not_at_all;
  }
  after.add(std::move(clone));
  return after;
}

/// D50.
Effects retry(const Shape& shape, const Op& op, const Facts& facts) {
  const One& one = *shape.find(op.target);
  const bool is_canceled = shape.run == RunState::canceled && shape.canceled == Canceled::by_operation;
  if (is_canceled && !one.is_preview) return refuse(shape, 400);
  Shape copy = shape;
  const One& newest = copy.newest(op.target.root);
  if (newest.name != one.name && !is_over(newest.status)) return refuse(shape, 400);
  // A lease that expires while the retry is in progress may be seen as valid or expired.
  const bool is_leased = waits_for_runner(one) && shape.leased.contains(one.name);
  const bool may_be_held = is_leased && op.earliest < shape.leased_until;
  const bool is_held = is_leased && op.latest < shape.leased_until;
  const bool may_be_stuck = facts.is_stuck_at_once && !one.is_claimed && !one.is_ended && !is_held;
  if (!is_over(one.status) && !may_be_stuck) return refuse(shape, 400);
  Effects effects = done(retried(shape, op), newest.name.generation + 1);
  // A result that is driven, or whose turn a model writes, is not stuck, but this is not visible from the outside.
  const bool may_have_driver = one.kind == Kind::driven || one.is_free || may_be_held;
  if (!is_over(one.status) && may_have_driver) effects.push_back(refuse(shape, 400).front());
  return effects;
}

/// D73: renews the leases of waiting results, and adds unleased results: those of the run, or else those without a run.
/// The runner of another agent is offered nothing.
Effects heartbeat(const Shape& shape, const Op& op, const Facts& facts) {
  if (op.at == no_time) return {};
  if (is_stranger(op.value)) return done(shape, offer_detail({}));
  Shape after = shape;
  after.leased.clear();
  after.leased_until = 0;
  std::set<Name> of_run;
  std::set<Name> previews;
  for (const One& one : shape.ones) {
    if (!waits_for_runner(one)) continue;
    const bool is_held = op.at < shape.leased_until && shape.leased.contains(one.name);
    if (is_held) after.leased.insert(one.name);
    if (!is_held && one.is_preview) previews.insert(one.name);
    if (!is_held && !one.is_preview && !is_over(shape.run)) of_run.insert(one.name);
  }
  const std::set<Name>& offered = of_run.empty() ? previews : of_run;
  after.leased.insert(offered.begin(), offered.end());
  if (!after.leased.empty()) after.leased_until = op.at + facts.lease_ms;
  return done(std::move(after), offer_detail(offered));
}

One made_of(const Op& op) {
  One one;
  one.name = {op.token, 0};
  one.kind = op.made_as.kind;
  one.is_manual = op.made_as.is_manual;
  one.is_free = op.made_as.is_free;
  one.is_preview = op.deed == Deed::preview;
  return one;
}

Effects preview(const Shape& shape, const Op& op) {
  Shape after = shape;
  after.add(made_of(op));
  return done(std::move(after), 0);
}

Effects create(const Shape& shape, const Op& op) {
  if (shape.run == RunState::canceled || shape.run == RunState::failed) return refuse(shape, 409);
  Shape after = shape;
  if (after.run == RunState::completed) after.run = RunState::running;
  after.add(made_of(op));
  return done(std::move(after), 0);
}

/// I45, and D45 for a PATCH.
Effects cancel_run(const Shape& shape, Canceled by) {
  if (by == Canceled::by_patch && shape.run == RunState::canceled) {
    return done(shape, static_cast<std::uint64_t>(shape.run));
  }
  if (is_over(shape.run)) return refuse(shape, by == Canceled::by_patch ? 409 : 400);
  Shape after = shape;
  after.run = RunState::canceled;
  after.canceled = by;
  for (One& one : after.ones) {
    if (!is_over(one.status) && !one.is_preview) close(one, Status::canceled);
  }
  return done(std::move(after), static_cast<std::uint64_t>(RunState::canceled));
}

Effects put_run(const Shape& shape, RunState to) {
  if (shape.run == to) return done(shape, static_cast<std::uint64_t>(to));
  if (is_over(shape.run) || (to == RunState::completed && has_live(shape))) return refuse(shape, 409);
  Shape after = shape;
  after.run = to;
  return done(std::move(after), static_cast<std::uint64_t>(to));
}

Effects plain_effects(const Shape& shape, const Op& op, const Facts& facts) {
  switch (op.deed) {
    case Deed::post:
    case Deed::tool:
    case Deed::registers:
    case Deed::insert: return add_entry(shape, op);
    case Deed::merge: return merge(shape, op);
    case Deed::next: return next(shape, op, facts);
    case Deed::finish: return finish(shape, op);
    case Deed::cancel: return put_status(shape, op, Status::canceled);
    case Deed::fail: return put_status(shape, op, Status::failed);
    case Deed::start: return put_status(shape, op, Status::running);
    case Deed::mode_auto: return put_mode(shape, op, false);
    case Deed::mode_manual: return put_mode(shape, op, true);
    case Deed::metadata: {
      Shape after = shape;
      after.find(op.target)->metadata = op.token;
      return done_on(std::move(after), op.target);
    }
    case Deed::retry: return retry(shape, op, facts);
    case Deed::create: return create(shape, op);
    case Deed::preview: return preview(shape, op);
    case Deed::heartbeat: return heartbeat(shape, op, facts);
    case Deed::cancel_run: return cancel_run(shape, Canceled::by_operation);
    case Deed::put_run_canceled: return cancel_run(shape, Canceled::by_patch);
    case Deed::close_run: return put_run(shape, RunState::completed);
    case Deed::put_run_running: return put_run(shape, RunState::running);
    default: return {};
  }
}

}  // namespace

std::uint64_t offer_detail(const std::set<Name>& offered) {
  std::uint64_t detail = offered.size();
  for (const Name& name : offered) detail = detail * 1'000'003 + name.root * 64ULL + name.generation;
  return detail;
}

std::vector<Effect> effects_of(const Shape& shape, const Op& op, const Facts& facts) {
  if (is_of_result(op.deed) && shape.find(op.target) == nullptr) return {};
  const std::uint64_t key = op.has_key ? std::uint64_t{1} << op.token : 0;
  // A rescore keeps its key only if it saves something.
  if (op.deed == Deed::rescore) return rescore(shape, op, (shape.kept & key) != 0);
  if ((shape.kept & key) != 0) return refuse(shape, 409);
  Effects effects = plain_effects(shape, op, facts);
  for (Effect& effect : effects) {
    // A turn that is still awaited is not an effect, so its key is not kept: a repeat has no second effect (D9).
    const bool is_later = op.deed == Deed::next && effect.reply.detail == later_detail;
    if (effect.reply.status == 200 && !is_later) effect.after.kept |= key;
  }
  return effects;
}

std::optional<Shape> trace_of_refused(const Shape& shape, const Op& op, const Facts& facts) {
  if (op.deed != Deed::next) return std::nullopt;
  const One* one = shape.find(op.target);
  const bool is_asked = one != nullptr && one->is_free && one->kind == Kind::client && !one->is_ended &&
                        unanswered(*one) == nullptr && turns_of(*one) < turns_max_of(facts.says);
  if (!is_asked || is_over(one->status) || shape.awaited.contains(one->name)) return std::nullopt;
  Shape after = shape;
  after.awaited.insert(one->name);
  return after;
}

}  // namespace parley::sim
