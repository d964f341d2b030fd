#include "actors/run/run_actor.hpp"

#include "actors/base/actor_failure.hpp"
#include "actors/result/result_changes.hpp"

namespace parley::actors {

RunActor::RunActor(caf::actor_config& config, const Id& id, Services& services, Peers peers)
    : RunHandle::base(config), services_(services), peers_(std::move(peers)), id_(id), queue_(*this) {}

RunActor::behavior_type RunActor::make_behavior() {
  set_exception_handler(ends_record("run", id_, [this] { break_off(); }));
  return {
      [this](RunRequest& request) {
        ++seen_;
        queue_.take(std::move(request.command), std::move(request.done), std::move(request.origin));
      },
      [this](ResultsMoved news) {
        ++seen_;
        is_outdated_ = true;  // the message may be about a retry, which re-opens the run itself
        has_started_ = has_started_ || news.has_started;
        // One check of the counters serves all earlier messages.
        if (!queue_.has_waiting_event()) queue_.take(news);
      },
      [this](CallsCanceled) { queue_.on_outcome(outcome_); },
      [this](Reload) {
        ++seen_;
        is_outdated_ = true;
      },
      [this](RetryCommit) { queue_.wake(); },
      [this](OfferPassivation) {
        if (queue_.is_idle()) send(peers_.directory, PassivationOffer{id_, seen_});
      },
      [this](Stop) {
        queue_.fail(stopping());
        quit();
      },
  };
}

void RunActor::on_exit() {
  peers_ = {};
}

std::string RunActor::whose() const {
  return "run " + to_text(id_);
}

void RunActor::break_off() {
  send(peers_.directory, ActorFailed{id_});
  // Messages about results may have been in flight, and so may the end of a commit whose effects are now
  // lost: what others must receive is sent after the commit.
  caf::delayed_anon_send(peers_.directory, retry_commit_after, ResultsChanged{id_, has_started_});
  if (starts_detection_ && state_)
    caf::delayed_anon_send(peers_.tracing, retry_commit_after, CheckRunClaims{id_, state_->detection});
  if (!made_driven_.empty()) {
    const DriveThese made{id_, made_driven_, is_by_workflow_};
    caf::delayed_anon_send(peers_.dispatcher, retry_commit_after, made);
  }
  queue_.fail(broken_off());
}

/// Usually only the creation of results needs just the run itself; many of them share one commit.
bool RunActor::reads_store(const RunInput& input) const {
  const auto* command = std::get_if<RunCommand>(&input);
  const auto* create = command != nullptr ? std::get_if<CreateResult>(command) : nullptr;
  return create == nullptr || create->uses_next_case;
}

Expected<bool> RunActor::has_kept(const std::string& key) const {
  TRY(found, services_.store.snapshot().remembered(key));
  return found.has_value();
}

Expected<Decided<RunReply>> RunActor::decide(const RunInput& input, store::ChangeSet& changes) {
  TRY(decision, decide_input(input));
  add_changes(decision, changes);
  return Decided<RunReply>{.reply = std::move(decision.reply),
                           .saves = decision.saves(),
                           .stands_alone = decision.saves() && reads_store(input)};
}

Expected<RunDecision> RunActor::decide_input(const RunInput& input) {
  const DecisionContext moment{services_.clock.now(), services_.ids};
  const auto* command = std::get_if<RunCommand>(&input);
  const auto* create = command != nullptr ? std::get_if<CreateRun>(command) : nullptr;
  if (create != nullptr) return decide_create(*create, moment);
  // Changes that are decided but not yet durable are in memory only, so a reload waits for the batch.
  if (!queue_.has_undurable()) {
    TRY(loaded, ensure_loaded());
  }
  if (command == nullptr) {
    TRY(facts, load_news());
    return on(*state_, ResultsMoved{}, facts, moment);
  }
  if (std::holds_alternative<FollowResults>(*command)) {
    TRY(facts, load_news());
    return on(*state_, FollowResults{}, facts, moment);
  }
  if (const auto* patch = std::get_if<PatchRun>(command)) return decide_patch(*patch, moment);
  if (std::holds_alternative<CancelRun>(*command)) {
    TRY(facts, load_news());
    return on(*state_, CancelRun{}, facts, moment);
  }
  if (std::holds_alternative<DetectHallucinations>(*command))
    return on(*state_, DetectHallucinations{}, moment);
  if (const auto* move = std::get_if<MoveDetection>(command)) return on(*state_, *move, moment);
  return decide_create_result(std::get<CreateResult>(*command), moment);
}

Expected<RunDecision> RunActor::decide_create_result(const CreateResult& command,
                                                     const DecisionContext& moment) {
  TRY(facts, facts_of_new_result());
  if (!command.uses_next_case) return on(*state_, command, facts, moment);
  CHECK(command.test.has_value());
  const store::Snapshot snapshot = services_.store.snapshot();
  TRY(before, snapshot.case_counters(id_, command.test->id));
  TRY(personality, planned_.next(snapshot, *state_, command.test->id, before.total));
  CreateResult placed = command;
  placed.repetition = before.total;
  placed.personality = personality;
  return on(*state_, placed, facts, moment);
}

/// A running run stays running, whatever its results imply in the meantime. For a change that is not yet
/// durable, the decision has already read the results.
Expected<RunFacts> RunActor::facts_of_new_result() const {
  const bool is_open = state_->status == RunStatus::fresh || state_->status == RunStatus::pending;
  if (!is_open || queue_.has_undurable()) return RunFacts{};
  return load_facts(services_.store.snapshot(), *state_);
}

Expected<RunDecision> RunActor::decide_patch(const PatchRun& command, const DecisionContext& moment) {
  const store::Snapshot snapshot = services_.store.snapshot();
  TRY(facts, load_facts(snapshot, *state_));
  Run planned = *state_;
  planned.scenario = command.scenario.value_or(state_->scenario);
  Launch launch;
  TRY(served, is_served(snapshot, *state_));
  if (state_->is_launched_by(command.status, served)) {
    TRY(prepared, prepare_launch(snapshot, planned, moment));
    launch = std::move(prepared);
  } else if (planned.scenario != state_->scenario) {
    TRY(expected, expected_cases(snapshot, planned));
    launch.expected = std::move(expected);
  }
  launch.is_served = served;
  return on(*state_, command, facts, std::move(launch), moment);
}

Expected<RunDecision> RunActor::decide_create(const CreateRun& command, const DecisionContext& moment) {
  const store::Snapshot snapshot = services_.store.snapshot();
  CreateRun resolved = command;
  TRY(configs, resolved_configs(snapshot, command.run));
  resolved.run.test_configs = std::move(configs);
  Launch launch;
  TRY(served, is_served(snapshot, command.run));
  if (!command.run.test_configs.empty() && resolved.run.test_configs.empty()) {
    // No test has the tags any more: then no test runs, rather than all of them.
    launch.makes_results = served;
    resolved.run.test_configs = command.run.test_configs;
  } else if (command.run.is_launched_as(command.run.status, served)) {
    TRY(prepared, prepare_launch(snapshot, resolved.run, moment));
    launch = std::move(prepared);
  } else {
    TRY(expected, expected_cases(snapshot, resolved.run));
    launch.expected = std::move(expected);
  }
  launch.is_served = served;
  state_ = Run{};
  state_->stamp.id = id_;
  return on(*state_, resolved, std::move(launch), moment);
}

Expected<RunFacts> RunActor::load_news() {
  const store::Snapshot snapshot = services_.store.snapshot();
  TRY(facts, load_facts(snapshot, *state_));
  facts.has_started = facts.has_started || has_started_;
  const bool is_open = state_->status == RunStatus::fresh || state_->status == RunStatus::pending;
  // From here on each result reports its start; results that started before this actor existed are read once.
  if (is_open && !facts.has_started && facts.may_have_started && !has_checked_) {
    TRY(has_run, has_run_before(snapshot, id_));
    has_checked_ = true;
    has_started_ = has_run;
    facts.has_started = has_run;
  }
  return facts;
}

Expected<Done> RunActor::ensure_loaded() {
  if (state_ && !is_outdated_) return Done{};
  is_outdated_ = false;
  TRY(run, services_.store.snapshot().find<Run>(id_));
  if (!run) return unknown_record("run", to_text(id_));
  durable_ = *run;
  state_ = std::move(run);
  return Done{};
}

void RunActor::add_changes(const RunDecision& decision, store::ChangeSet& changes) {
  saves_run_ = saves_run_ || decision.saves_run;
  is_new_ = is_new_ || decision.is_new;
  starts_detection_ = starts_detection_ || decision.starts_detection;
  if (decision.cancels_live) changes.cancel_live({id_, services_.clock.now()});
  if (decision.needs_idle) changes.guard_idle(id_);
  if (decision.needs_live) changes.guard_live(id_);
  if (decision.group) changes.create(*decision.group);
  if (decision.expected) changes.put_run_cases(id_, *decision.expected);
  for (const NewResult& made : decision.results) {
    add_new_result(changes, made, services_.ids);
    planned_.add(made.head);
    if (!is_dispatched(made.head)) continue;
    made_driven_.push_back(made.head.stamp.id);
    is_by_workflow_ = made.head.awaits_workflow;  // a run has one agent
  }
}

Expected<bool> RunActor::is_current() const {
  if (!state_) return true;  // nothing was decided on it
  return is_stored(services_.store.snapshot(), durable_);
}

void RunActor::seal(store::ChangeSet& changes) {
  if (is_new_) {
    changes.create(*state_);
    state_->stamp.revision = 1;
  } else if (saves_run_) {
    state_->stamp.revision = changes.replace(durable_, *state_);
  } else {
    changes.guard_revision(durable_);  // detects a retry that re-opened the run in the meantime
  }
}

void RunActor::commit(store::ChangeSet changes) {
  request(peers_.writer, caf::infinite, Commit{std::move(changes)})
      .then([this](store::Outcome& outcome) { stored(outcome); },
            [this](const caf::error&) { queue_.fail(stopping()); });
}

// A client that has the answer to its cancel-run must not see a call of the run begin afterwards.
void RunActor::stored(store::Outcome& outcome) {
  if (outcome.canceled.empty()) return queue_.on_outcome(outcome);
  outcome_ = std::move(outcome);
  services_.outside.cancel_group(id_, [me = RunHandle{this}] { caf::anon_send(me, CallsCanceled{}); });
}

void RunActor::saved(store::Outcome& outcome) {
  if (saves_run_) durable_ = *state_;
  saves_run_ = false;
  is_new_ = false;
  if (std::exchange(starts_detection_, false)) send(peers_.tracing, CheckRunClaims{id_, durable_.detection});
  if (!made_driven_.empty()) {
    send(peers_.dispatcher, DriveThese{id_, std::exchange(made_driven_, {}), is_by_workflow_});
  }
  if (outcome.canceled.empty()) return;
  send(peers_.dispatcher, Withdrawn{outcome.canceled});
  send(peers_.directory, ReloadResults{std::move(outcome.canceled)});
}

void RunActor::forget() {
  state_.reset();
  saves_run_ = false;
  is_new_ = false;
  starts_detection_ = false;
  made_driven_.clear();
  planned_.forget();
}

void RunActor::wake_later() {
  delayed_send(this, retry_commit_after, RetryCommit{});
}

}  // namespace parley::actors
