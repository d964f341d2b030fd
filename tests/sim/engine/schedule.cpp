#include "tests/sim/engine/schedule.hpp"

#include <algorithm>

#include "model/check.hpp"
#include "tests/sim/engine/rescores.hpp"

namespace parley::sim {
namespace {

/// A set of commands is one 64-bit word.
constexpr std::size_t ops_max = 64;
constexpr std::array<std::int64_t, 8> jumps_ms{1,      10,        1'100,      6'000,
                                               40'000, 3'600'000, -3'600'000, 315'360'000'000};
/// Beyond this the actors' own timers do not advance; only the wall clock does.
constexpr std::int64_t timers_ms_max = 3'600'000;

}  // namespace

Schedule::Schedule(Stand& stand, const Plan& plan) : stand_(stand), plan_(plan) {
  facts_.says = plan.says;
  facts_.lease_ms = Stand::lease_ms;
  facts_.is_stuck_at_once = plan.is_stuck_at_once;
  facts_.knows_verdicts = plan.has_rescores;
}

void Schedule::begin() {
  stand_.begin(plan_);
  actors::CreateRun command;
  command.run.scenario.id = stand_.scenario();
  command.run.agent.id = stand_.agent_of(Kind::client);
  command.run.status = plan_.is_running ? RunStatus::running : RunStatus::fresh;
  command.run.max_concurrent_tests = plan_.cap;
  command.run.generate_results = false;  // a launch without cases would complete the run (D43, D44)
  stand_.gateway().to_run(Id{}, command, {}, [this](const Expected<actors::RunReply>& answer) {
    CHECK(answer.ok());
    run_ = answer.value().run.stamp.id;
  });
  settle();
  view_.emplace(run_, stand_.agent_of(Kind::client), plan_.has_rescores);
  begin_ = view_->look(stand_.snapshot(), keys_);
  for (std::uint32_t i = 0; i < plan_.results.size(); ++i) create_first(i);
  settle();
  Shape made = view_->look(stand_.snapshot(), keys_);
  // What the service has driven up to now is explained like everything later: as silent moves from new results.
  for (One& one : made.ones) {
    One fresh;
    fresh.name = one.name;
    fresh.kind = one.kind;
    fresh.is_manual = one.is_manual;
    fresh.is_free = one.is_free;
    begin_.add(fresh);
  }
  CHECK(made.ones.size() == plan_.results.size());
}

void Schedule::create_first(std::uint32_t index) {
  const Made& made = plan_.results[index];
  const CaseOf of{first_root + index, made, plan_.says, run_, stand_.agent_of(made.kind)};
  stand_.gateway().to_run(run_, creation_of(of), {},
                          [](const Expected<actors::RunReply>& answer) { CHECK(answer.ok()); });
}

Trial Schedule::carry_out() {
  begin();
  for (const Step& step : plan_.steps) {
    std::mt19937_64 dice(step.dice);
    take(step);
    spin(dice, step.spin);
  }
  return judge();
}

Trial Schedule::meet(const Meeting& meeting, const Choose& choose) {
  begin();
  for (const Step& step : plan_.steps) {
    take(step);
    if (step.deed != Deed::unpause) settle();  // held work is in progress when the two commands run
  }
  look();
  take(meeting.first);
  bool is_second_in = false;
  for (std::size_t taken = 0;; ++taken) {
    if (taken == meeting.killed_after) {
      if (!is_second_in) take(meeting.second);
      restart({}, {});
      break;
    }
    const std::size_t waiting = stand_.actors().waiting();
    const std::size_t options = waiting + (is_second_in ? 0U : 1U);
    if (options == 0) break;
    const std::size_t choice = choose(options);
    if (choice < waiting) {
      take_message(choice);
    } else {
      is_second_in = true;
      take(meeting.second);
    }
  }
  return judge();
}

void Schedule::take(const Step& step) {
  if (is_command(step.deed)) return invoke(step);
  std::mt19937_64 dice(step.dice);
  switch (step.deed) {
    case Deed::answer: {
      const auto ending =
          static_cast<Agents::Ending>(step.value % 3 != 0 ? 0 : step.value / 3 % Agents::kinds);
      if (!stand_.agents().end_one(dice, ending)) return;
      facts_.agents_end = facts_.agents_end || ending == Agents::Ending::ends;
      facts_.agents_fail = facts_.agents_fail || ending > Agents::Ending::ends;
      return note("an agent's answer " + std::to_string(static_cast<int>(ending)));
    }
    case Deed::model_says: {
      const bool is_well = step.value % 3 != 0;
      if (stand_.models().end_one(dice, plan_.models, is_well)) note(stand_.models().last_said());
      return;
    }
    case Deed::pass: return pass(step.value);
    case Deed::disk_full: stand_.refuse_commits(true); break;
    case Deed::disk_well: stand_.refuse_commits(false); break;
    case Deed::disk_error: stand_.fail_next_commit(); break;
    case Deed::crash:
    case Deed::crash_within:
    case Deed::crash_in_recovery: return crash(step);
    case Deed::hold: is_held_ = true; break;
    case Deed::release: is_held_ = false; break;
    case Deed::pause: stand_.gateway().pause_scoring(true); break;
    case Deed::unpause: stand_.gateway().pause_scoring(false); break;
    case Deed::look: return look();
    default: return;
  }
  has_disk_fault_ = has_disk_fault_ || step.deed == Deed::disk_full || step.deed == Deed::disk_error;
  note(std::string(word_of(step.deed)));
}

/// Keeps only the completed results, which can be rescored, if there are any.
void Schedule::prefer_completed(std::vector<std::pair<Name, Id>>& results, const Shape& now) {
  const auto is_other = [&now](const auto& result) {
    return now.find(result.first)->status != Status::completed;
  };
  if (!std::all_of(results.begin(), results.end(), is_other)) std::erase_if(results, is_other);
}

/// Resolves what the step refers to, out of what a client could know now; false if there is nothing of that kind.
bool Schedule::aim(const Step& step, Op& op) {
  const Shape now = view_->look(stand_.snapshot(), keys_);
  if (!is_of_result(step.deed)) return true;
  auto results = view_->results();
  if (step.prefers_completed) prefer_completed(results, now);
  if (results.empty()) return false;
  const auto& [name, id] = results[step.target % results.size()];
  op.target = name;
  op.subject = id;
  if (step.deed != Deed::insert && step.deed != Deed::merge) return true;
  const auto& entries = view_->entries_of(name);
  if (entries.empty()) return false;
  const auto& [entry, token] = entries[step.value % entries.size()];
  op.anchor = token;
  op.anchor_id = entry;
  op.is_after = step.value % 3 != 0;
  return true;
}

void Schedule::invoke(const Step& step) {
  Op op;
  op.deed = step.deed;
  op.token = step.token;
  op.value = step.value;
  op.has_key = step.has_key;
  if (step.deed == Deed::create || step.deed == Deed::preview)
    op.made_as = made_by(plan_, step.deed, step.value);
  if (step.deed == Deed::again) {
    std::vector<const Op*> keyed;
    for (const Op& each : trial_.history.ops) {
      if (each.has_key) keyed.push_back(&each);
    }
    if (keyed.empty()) return;
    op = *keyed[step.value % keyed.size()];
    op.answers = 0;
    op.based_on = no_version;
    op.reply = {};
    op.made = {};
  } else if (!aim(step, op)) {
    return;
  }
  invoke(op);
}

void Schedule::invoke(Op op) {
  if (trial_.history.ops.size() >= ops_max) return;
  op.epoch = stand_.epoch();
  op.earliest = op.latest = stand_.clock().now().ms;
  if (op.has_key && kept_.find(op.token) == kept_.end()) {
    const Time now = stand_.clock().now();
    const std::string key = store::idempotency_key(now, "k" + std::to_string(op.token));
    kept_[op.token] = {key, "hash", 200, now};
    keys_[op.token] = key;
  }
  const std::size_t index = trial_.history.ops.size();
  trial_.history.ops.push_back(op);
  trial_.history.events.push_back({Event::Sort::invoked, index, {}, {}});
  send(index);
}

void Schedule::send(std::size_t index) {
  const Op op = trial_.history.ops[index];
  const actors::OptionalIdempotency keep =
      op.has_key ? actors::OptionalIdempotency(kept_.at(op.token)) : std::nullopt;
  if (op.deed == Deed::rescore) return score_again(index);
  if (is_of_result(op.deed)) {
    return stand_.gateway().to_result(op.subject, result_command_of(op), keep,
                                      completion<actors::ResultReply>(index));
  }
  if (op.deed == Deed::heartbeat) return beat(index);
  if (op.deed == Deed::preview) {
    const CaseOf of{op.token, op.made_as, plan_.says, {}, stand_.agent_of(op.made_as.kind)};
    return stand_.gateway().create_preview(creation_of(of), keep, completion<actors::ResultReply>(index));
  }
  if (op.deed != Deed::create) {
    return stand_.gateway().to_run(run_, run_command_of(op), keep, completion<actors::RunReply>(index));
  }
  const CaseOf of{op.token, op.made_as, plan_.says, run_, stand_.agent_of(op.made_as.kind)};
  stand_.gateway().to_run(run_, creation_of(of), keep, completion<actors::RunReply>(index));
}

template <class Reply>
actors::Completion<Reply> Schedule::completion(std::size_t index) {
  return [this, index, epoch = stand_.epoch()](const Expected<Reply>& answer) {
    if (epoch != stand_.epoch()) return;  // the process is dead, and so is its connection
    Op& op = trial_.history.ops[index];
    if (++op.answers > 1) return;
    take_answer(op, answer);
    trial_.history.events.push_back({Event::Sort::answered, index, {}, {}});
  };
}

void Schedule::beat(std::size_t index) {
  const int epoch = stand_.epoch();
  const auto decided = [this, index, epoch](Time now) {
    if (epoch == stand_.epoch()) trial_.history.ops[index].at = now.ms;
  };
  stand_.beat(is_stranger(trial_.history.ops[index].value), decided,
              [this, index, epoch](const Expected<Done>& answer, const actors::RunnerOffer& offer) {
                if (epoch != stand_.epoch()) return;
                Op& op = trial_.history.ops[index];
                if (++op.answers > 1) return;
                op.reply = {answer.ok() ? 200 : answer.problem().status(), 0};
                if (answer.ok()) op.offered = offer.results;
                trial_.history.events.push_back({Event::Sort::answered, index, {}, {}});
              });
}

void Schedule::score_again(std::size_t index) {
  const Op& op = trial_.history.ops[index];
  const Wish wish = wish_of(op.value);
  Stand::ScoreAgain again;
  again.result = op.subject;
  again.assertions = assertions_of(wish, op.target.root);
  again.is_preview = wish.is_preview;
  if (op.has_key) again.keep = kept_.at(op.token);
  const int epoch = stand_.epoch();
  again.deciding = [this, index, epoch](const ResultHead& head) {
    if (epoch == stand_.epoch()) trial_.history.ops[index].based_on = head.rescored;
  };
  stand_.score_again(std::move(again), [this, index, epoch](const Expected<Stand::ScoredAgain>& answer) {
    if (epoch != stand_.epoch()) return;
    Op& asked = trial_.history.ops[index];
    if (++asked.answers > 1) return;
    asked.reply = answer.ok() ? Reply{200, detail_of(answer.value().made, answer.value().is_saved)}
                              : Reply{answer.problem().status(), 0};
    trial_.history.events.push_back({Event::Sort::answered, index, {}, {}});
  });
}

void Schedule::take_message(std::size_t place) {
  stand_.actors().take_one(place);
  ++trial_.messages;
  if (stand_.is_broken()) restart({}, {});  // here the product ends the process (F7)
}

void Schedule::spin(std::mt19937_64& dice, std::uint32_t messages) {
  constexpr std::uint32_t messages_max = 2'000;
  for (std::uint32_t i = 0; i < std::min(messages, messages_max); ++i) {
    const std::size_t waiting = stand_.actors().waiting();
    if (waiting == 0) return;
    std::size_t place = dice() % waiting;
    if (is_held_ && stand_.actors().is_writer(place)) {
      if (waiting == 1) return;
      place = (place + 1) % waiting;
    }
    take_message(place);
  }
}

void Schedule::settle() {
  constexpr int messages_max = 20'000;
  for (int i = 0; stand_.actors().waiting() > 0; ++i) {
    if (i == messages_max) {
      trial_.faults.emplace_back("it never comes to rest");
      return;
    }
    take_message(0);
  }
}

void Schedule::pass(std::uint32_t value) {
  const std::int64_t jump = jumps_ms.at(value % jumps_ms.size());
  advance(jump);
  if (jump > 0 && jump <= timers_ms_max) stand_.pass(jump);
  note("time " + std::to_string(jump));
}

/// Advances the wall clock, also for work in progress.
void Schedule::advance(std::int64_t ms) {
  stand_.clock().advance(ms);
  const std::int64_t now = stand_.clock().now().ms;
  for (Op& op : trial_.history.ops) {
    if (op.answers > 0) continue;
    op.earliest = std::min(op.earliest, now);
    op.latest = std::max(op.latest, now);
  }
}

void Schedule::crash(const Step& step) {
  if (step.deed == Deed::crash_in_recovery) return restart({}, step.value % 4);
  if (step.deed == Deed::crash) return restart({}, {});
  static_cast<void>(view_->look(stand_.snapshot(), keys_));
  const auto& results = view_->results();
  const Id& within = results[step.target % results.size()].second;
  facts_.work_may_fail = facts_.work_may_fail || ++within_[within] >= 3;
  restart(within, {});
}

void Schedule::restart(const std::optional<Id>& within, std::optional<std::uint32_t> refused_after) {
  std::optional<Id> mark = within;
  for (bool is_recovered = false; !is_recovered;) {
    ++trial_.crashes;
    stand_.crash(std::exchange(mark, std::nullopt));
    trial_.history.events.push_back({Event::Sort::crashed, 0, {}, {}});
    look();
    is_recovered = stand_.recover(std::exchange(refused_after, std::nullopt)) && !stand_.is_broken();
  }
  is_held_ = false;
}

void Schedule::look() {
  Event event;
  event.sort = Event::Sort::looked;
  event.shape = view_->look(stand_.snapshot(), keys_);
  trial_.history.events.push_back(std::move(event));
}

void Schedule::note(std::string what) {
  trial_.history.events.push_back({Event::Sort::noted, 0, {}, std::move(what)});
}

/// Ends all faults, lets all agents and models answer, and lets time pass.
void Schedule::come_to_rest() {
  is_held_ = false;
  stand_.refuse_commits(false);
  stand_.gateway().pause_scoring(false);
  constexpr std::array<int, 8> naps_ms{0, 1'100, 1'100, 1'100, 1'100, 6'000, 6'000, 10'000};
  for (const int nap : naps_ms) {
    advance(nap);
    if (nap > 0) stand_.pass(nap);
    settle();
    std::mt19937_64 dice(1);
    while (stand_.agents().end_one(dice, Agents::Ending::says) ||
           stand_.models().end_one(dice, plan_.models, true))
      settle();
  }
}

}  // namespace parley::sim
