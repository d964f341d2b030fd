#include "tests/sim/engine/model.hpp"

#include <algorithm>

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

/// The tester turn that no reply has followed (D47).
const Said* unanswered(const One& one) {
  const Said* turn = nullptr;
  for (const Said& said : one.talk) {
    if (said.sort == Said::Sort::turn && (turn == nullptr || said.born > turn->born)) turn = &said;
  }
  if (turn == nullptr) return nullptr;
  for (const Said& said : one.talk) {
    const bool is_event = said.sort == Said::Sort::registers && one.kind != Kind::driven;
    const bool is_reply = !said.is_inserted && (said.sort == Said::Sort::message || is_event);
    if (is_reply && said.born > turn->born) return nullptr;
  }
  return turn;
}

std::uint32_t turns_of(const One& one) {
  return static_cast<std::uint32_t>(std::count_if(
      one.talk.begin(), one.talk.end(), [](const Said& said) { return said.sort == Said::Sort::turn; }));
}

/// D49, I23, I24: a conversation that ends is claimed at once unless a client wants to finish it.
void end(One& one) {
  if (one.status == Status::pending) one.status = Status::running;
  one.is_ended = true;
  if (!one.is_manual || one.kind == Kind::driven) one.is_claimed = true;
}
void close(One& one, Status status) {
  one.status = status;
  one.is_ended = true;
}
void say(One& one, std::uint32_t token, Said::Sort sort) {
  if (one.status == Status::pending) one.status = Status::running;
  Said said;
  said.token = token;
  said.sort = sort;
  said.born = static_cast<std::uint32_t>(one.talk.size());
  one.talk.push_back(said);
}

bool is_closed(const One& one) {
  return is_over(one.status) || one.is_claimed;
}

/// Spec section 6: an action registers once in a turn. Two names are in use.
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
  if (op.deed != Deed::insert) {
    say(mine, op.token, sort);
  } else {
    const auto anchor = std::find_if(mine.talk.begin(), mine.talk.end(),
                                     [&](const Said& said) { return said.token == op.anchor; });
    if (anchor == mine.talk.end()) return {};
    Said said;
    said.token = op.token;
    said.is_inserted = true;
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
  if (turn >= facts.says) {
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

/// D46 and the rows of reliability 2.9.
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
  if (is_over(after.run)) {
    after.run = RunState::running;
    after.canceled = Canceled::not_at_all;
  }
  after.add(std::move(clone));
  return after;
}

/// D50.
Effects retry(const Shape& shape, const Op& op, const Facts& facts) {
  const One& one = *shape.find(op.target);
  if (shape.run == RunState::canceled && shape.canceled == Canceled::by_operation) return refuse(shape, 400);
  Shape copy = shape;
  const One& newest = copy.newest(op.target.root);
  if (newest.name != one.name && !is_over(newest.status)) return refuse(shape, 400);
  const bool may_be_stuck = facts.is_stuck_at_once && !one.is_claimed && !one.is_ended;
  if (!is_over(one.status) && !may_be_stuck) return refuse(shape, 400);
  Effects effects = done(retried(shape, op), newest.name.generation + 1);
  // One that is being driven is not stuck; from outside that cannot be told.
  if (!is_over(one.status) && one.kind == Kind::driven) effects.push_back(refuse(shape, 400).front());
  return effects;
}

Effects create(const Shape& shape, const Op& op) {
  if (shape.run == RunState::canceled || shape.run == RunState::failed) return refuse(shape, 409);
  Shape after = shape;
  if (after.run == RunState::completed) after.run = RunState::running;
  One one;
  one.name = {op.token, 0};
  one.is_manual = op.value % 2 == 1;
  after.add(std::move(one));
  return done(std::move(after), 0);
}

/// I45, and D45 where it is a PATCH.
Effects cancel_run(const Shape& shape, Canceled by) {
  if (by == Canceled::by_patch && shape.run == RunState::canceled) {
    return done(shape, static_cast<std::uint64_t>(shape.run));
  }
  if (is_over(shape.run)) return refuse(shape, by == Canceled::by_patch ? 409 : 400);
  Shape after = shape;
  after.run = RunState::canceled;
  after.canceled = by;
  for (One& one : after.ones) {
    if (!is_over(one.status)) close(one, Status::canceled);
  }
  return done(std::move(after), static_cast<std::uint64_t>(RunState::canceled));
}

bool has_live(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(),
                     [](const One& one) { return !is_over(one.status); });
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
    case Deed::cancel_run: return cancel_run(shape, Canceled::by_operation);
    case Deed::put_run_canceled: return cancel_run(shape, Canceled::by_patch);
    case Deed::close_run: return put_run(shape, RunState::completed);
    case Deed::put_run_running: return put_run(shape, RunState::running);
    default: return {};
  }
}

/// A driven conversation: the script's next line, or the agent's answer to the last (D60, reliability 2.9).
void drive(const Shape& shape, const One& one, const Facts& facts, std::vector<Shape>& moves) {
  const auto moved = [&](auto change) {
    Shape after = shape;
    change(*after.find(one.name));
    moves.push_back(std::move(after));
  };
  const std::uint32_t turn = turns_of(one);
  if (facts.driving_may_fail) moved([](One& mine) { close(mine, Status::failed); });
  if (unanswered(one) == nullptr) {
    if (turn >= facts.says) return moved(end);
    return moved([&](One& mine) { say(mine, turn_base + turn, Said::Sort::turn); });
  }
  const auto answer = [&](One& mine) { say(mine, answer_base + turn - 1, Said::Sort::message); };
  moved(answer);
  if (facts.agents_fail) moved([](One& mine) { close(mine, Status::failed); });
  if (!facts.agents_end) return;
  moved([&](One& mine) {
    answer(mine);
    end(mine);
  });
}

/// D40: with its first running result.
bool must_run(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(), [](const One& one) {
    return one.status == Status::running || one.status == Status::completed;
  });
}
/// One that was closed may have run before, which its end does not tell.
bool may_run(const Shape& shape) {
  return std::any_of(shape.ones.begin(), shape.ones.end(),
                     [](const One& one) { return one.status != Status::pending; });
}
/// D44: nothing is expected but what there is; a retired result does not count.
bool is_complete(const Shape& shape) {
  const bool has_any =
      std::any_of(shape.ones.begin(), shape.ones.end(), [](const One& one) { return !one.is_retired; });
  return has_any && !has_live(shape);
}

}  // namespace

std::vector<Effect> effects_of(const Shape& shape, const Op& op, const Facts& facts) {
  if (is_of_result(op.deed) && shape.find(op.target) == nullptr) return {};
  const std::uint64_t key = op.has_key ? std::uint64_t{1} << op.token : 0;
  if ((shape.kept & key) != 0) return refuse(shape, 409);
  Effects effects = plain_effects(shape, op, facts);
  for (Effect& effect : effects) {
    if (effect.reply.status == 200) effect.after.kept |= key;
  }
  return effects;
}

std::vector<Shape> silent_moves(const Shape& shape, const Facts& facts,
                                const std::optional<std::uint32_t>& of) {
  std::vector<Shape> moves;
  for (const One& one : shape.ones) {
    if (is_over(one.status) || (of && one.name.root != *of)) continue;
    if (one.is_claimed) {
      moves.push_back(shape);
      moves.back().find(one.name)->status = Status::completed;
      if (facts.scoring_may_fail) {
        moves.push_back(shape);
        moves.back().find(one.name)->status = Status::failed;
      }
    } else if (one.kind == Kind::driven && !one.is_ended) {
      drive(shape, one, facts, moves);
    }
  }
  if (is_over(shape.run)) return moves;
  if (shape.run != RunState::running && may_run(shape)) {
    moves.push_back(shape);
    moves.back().run = RunState::running;
  }
  if (is_complete(shape)) {
    moves.push_back(shape);
    moves.back().run = RunState::completed;
  }
  return moves;
}

std::vector<std::string> unfinished(const Shape& shape) {
  std::vector<std::string> faults;
  for (const One& one : shape.ones) {
    if (is_over(one.status)) continue;
    if (one.is_claimed) faults.push_back("claimed and never scored: " + text_of(one));
    if (one.kind == Kind::driven) faults.push_back("driven no further: " + text_of(one));
    if (shape.run == RunState::canceled) faults.push_back("live on a canceled run: " + text_of(one));
    if (one.is_retired) faults.push_back("live and retired: " + text_of(one));
  }
  if (!is_over(shape.run)) {
    if (shape.run != RunState::running && must_run(shape)) faults.emplace_back("the run never started");
    if (is_complete(shape)) faults.emplace_back("the run never completed (I44)");
  }
  return faults;
}

}  // namespace parley::sim
