#include "actors/run/run_machine.hpp"

#include <algorithm>

namespace parley::actors {
namespace {

RunDecision refuse_run(Problem problem) {
  RunDecision decision;
  decision.reply = Expected<RunReply>(std::move(problem));
  return decision;
}

void touch(Run& run, Time now) {
  run.stamp.updated_at = std::max(now, Time{run.stamp.updated_at.ms + 1});
}

/// The decision that saves the current run and replies with it.
RunDecision saved(Run& run, RunDecision decision, const DecisionContext& moment) {
  touch(run, moment.now);
  decision.saves_run = true;
  decision.reply = RunReply{run, std::nullopt};
  return decision;
}

/// Sets the trace; only a result whose agent the service calls uses it.
void set_trace(ResultHead& head, const std::optional<std::string>& trace) {
  if (service_calls_agent(head)) head.trace = trace;
}

std::int64_t count_of(const std::vector<ExpectedCase>& cases) {
  std::int64_t count = 0;
  for (const ExpectedCase& expected : cases) count += expected.count;
  return count;
}

/// Moves the cases out of `launch`: they may take many megabytes.
void take_launch(Run& run, Launch& launch, const std::optional<std::string>& trace, RunDecision& decision) {
  run.is_launched = true;
  run.expected = count_of(launch.expected);
  decision.expected = std::move(launch.expected);
  decision.results = std::move(launch.results);
  for (NewResult& result : decision.results) set_trace(result.head, trace);
  // A launch without cases has nothing to wait for (D44); a client may still post its own results.
  if (run.expected == 0 && launch.makes_results) run.status = RunStatus::completed;
}

void cancel(Run& run, CanceledBy by, RunDecision& decision) {
  run.status = RunStatus::canceled;
  run.canceled_by = by;
  run.expected = 0;
  decision.cancels_live = true;
}

Problem no_such_move(const Run& run, RunStatus to) {
  return problem(ProblemKind::conflict, "a run that is " + std::string(word_of(run.status)) +
                                            " cannot become " + std::string(word_of(to)));
}

/// 409 unless D45 allows the change.
std::optional<Problem> status_fault(const Run& run, RunStatus to, const RunFacts& facts) {
  using enum RunStatus;
  if (to == run.status) return std::nullopt;
  if (is_terminal(run.status)) return no_such_move(run, to);
  if (to == canceled) return std::nullopt;
  if (to == completed || to == failed) {
    if (facts.live == 0) return std::nullopt;
    return problem(
        ProblemKind::conflict,
        std::to_string(facts.live) + " results of the run are not finished; finish or cancel them first");
  }
  const bool onward = (run.status == fresh && to == pending) || (run.status != running && to == running);
  if (onward) return std::nullopt;
  return no_such_move(run, to);
}

std::optional<Problem> scenario_fault(const Run& run, const PatchRun& command, const RunFacts& facts) {
  if (!command.scenario || *command.scenario == run.scenario) return std::nullopt;
  if (facts.total == 0 && !run.is_launched && !is_terminal(run.status)) return std::nullopt;
  return problem(ProblemKind::conflict,
                 "the run has results or was launched; its scenario cannot be changed");
}

/// Sets the field if a value is given; returns whether that changes it.
template <class T>
bool set_if_given(T& field, const std::optional<T>& given) {
  if (!given || *given == field) return false;
  field = *given;
  return true;
}

void change_status(Run& run, const PatchRun& command, Launch& launch, RunDecision& decision) {
  using enum RunStatus;
  const RunStatus to = *command.status;
  const bool is_launch = run.is_launched_by(to, launch.is_served);
  run.status = to;
  if (is_launch) take_launch(run, launch, command.trace, decision);
  if (to == canceled) cancel(run, CanceledBy::patch, decision);
  if (to == completed || to == failed) {
    run.expected = 0;  // closed early: missing cases are no longer expected (D44)
    decision.needs_idle = true;
  }
}

}  // namespace

NewResult new_result(const CreateResult& command, const DecisionContext& moment) {
  NewResult made;
  ResultHead& head = made.head;
  head.stamp.id = moment.ids.next(moment.now);
  head.stamp.updated_at = time_of(head.stamp.id);
  head.test = command.test;
  head.run = command.run;
  head.agent = command.agent;
  head.personality = command.personality;
  head.source_conversation_log = command.source_conversation_log;
  head.completion_mode = command.completion_mode;
  head.is_manual = command.is_manual;
  set_driving(head, command.driving);
  head.test_created_at = command.test_created_at;
  if (command.repetition > 0) head.repetition = command.repetition;
  head.seed = command.seed;
  WarningSet warned = command.warned;
  if (head.is_server_driven && head.completion_mode == CompletionMode::manual)
    warned.add(WarningCode::manual_ignored);
  head.warned = warned.bits;
  set_trace(head, command.trace);
  made.test_case = command.test_case;
  made.extras = command.extras;
  return made;
}

RunDecision on(Run& state, const CreateRun& command, Launch launch, const DecisionContext& moment) {
  RunDecision decision;
  const Id id = state.stamp.id;
  state = command.run;
  state.stamp = Stamp{id, time_of(id), 0};
  decision.is_new = true;
  if (!state.run_group) {
    RunGroup group;
    group.stamp.id = moment.ids.next(moment.now);
    group.stamp.updated_at = time_of(group.stamp.id);
    state.run_group = Ref<RecordKind::run_group>{group.stamp.id};
    decision.group = std::move(group);
  }
  if (state.is_launched_as(state.status, launch.is_served)) {
    for (NewResult& result : launch.results) result.head.run = Ref<RecordKind::run>{state.stamp.id};
    take_launch(state, launch, command.trace, decision);
  } else if (is_terminal(state.status)) {
    state.expected = 0;  // created closed: it waits for no case (I51)
    if (state.status == RunStatus::canceled) state.canceled_by = CanceledBy::patch;
  } else {
    state.expected = count_of(launch.expected);
    decision.expected = std::move(launch.expected);
  }
  decision.saves_run = true;
  decision.reply = RunReply{state, std::nullopt};
  return decision;
}

RunDecision on(Run& state, const PatchRun& command, const RunFacts& facts, Launch launch,
               const DecisionContext& moment) {
  if (command.if_updated_at && *command.if_updated_at != state.stamp.updated_at) {
    return refuse_run(changed_meanwhile());
  }
  Run followed = state;
  followed.status = followed_status(state, facts);
  if (command.status) {
    if (auto fault = status_fault(followed, *command.status, facts)) return refuse_run(*fault);
  }
  if (auto fault = scenario_fault(followed, command, facts)) return refuse_run(*fault);
  RunDecision decision;
  bool changes = followed.status != state.status;
  decision.needs_idle = changes && is_terminal(followed.status);
  state = std::move(followed);
  if (command.scenario && *command.scenario != state.scenario) {
    state.scenario = *command.scenario;
    state.expected = count_of(launch.expected);
    decision.expected = launch.expected;  // a launch by the same command sets them again
    changes = true;
  }
  if (command.result && *command.result != state.result) {
    state.result = *command.result;
    changes = true;
  }
  if (command.is_archived && *command.is_archived != state.is_archived) {
    state.is_archived = *command.is_archived;
    changes = true;
  }
  changes = set_if_given(state.name, command.name) || changes;
  changes = set_if_given(state.metadata, command.metadata) || changes;
  if (command.seed && state.seed != command.seed) {
    state.seed = command.seed;
    changes = true;
  }
  if (command.status && *command.status != state.status) {
    change_status(state, command, launch, decision);
    decision.needs_live = decision.cancels_live && facts.live > 0;
    changes = true;
  }
  if (changes) return saved(state, std::move(decision), moment);
  decision.reply = RunReply{state, std::nullopt};  // an empty body changes nothing, including updatedAt
  return decision;
}

RunDecision on(Run& state, const CancelRun&, const RunFacts& facts, const DecisionContext& moment) {
  const RunStatus status = followed_status(state, facts);
  if (is_terminal(status)) {
    return refuse_run(problem(ProblemKind::invalid_state_for_request,
                              "the run is " + std::string(word_of(status)) + " already"));
  }
  RunDecision decision;
  cancel(state, CanceledBy::operation, decision);
  decision.needs_live = facts.live > 0;
  return saved(state, std::move(decision), moment);
}

RunDecision on(Run& state, const DetectHallucinations&, const DecisionContext& moment) {
  RunDecision decision;
  if (is_under_way(state.hallucination_status)) {
    decision.reply = RunReply{state, std::nullopt};
    return decision;
  }
  state.hallucination_status = DetectionStatus::pending;
  ++state.detection;
  state.detection_attempts = 0;
  decision.starts_detection = true;
  return saved(state, std::move(decision), moment);
}

RunDecision on(Run& state, const MoveDetection& command, const DecisionContext& moment) {
  if (state.detection != command.detection || !is_under_way(state.hallucination_status)) {
    return refuse_run(problem(ProblemKind::conflict, "another detection of the run has taken its place"));
  }
  const bool is_same = state.hallucination_status == command.to && state.detection_attempts == 0;
  RunDecision decision;
  if (is_same) {
    decision.reply = RunReply{state, std::nullopt};
    return decision;
  }
  // A detection that reports progress while already running has advanced.
  if (state.hallucination_status == command.to) state.detection_attempts = 0;
  state.hallucination_status = command.to;
  return saved(state, std::move(decision), moment);
}

Run detection_after_crash(const Run& run, Time now) {
  Run next = run;
  // A run that was only waiting for its turn is not a suspect.
  if (run.hallucination_status == DetectionStatus::running) ++next.detection_attempts;
  next.hallucination_status =
      next.detection_attempts >= limits::attempts_max ? DetectionStatus::failed : DetectionStatus::pending;
  if (next.hallucination_status != run.hallucination_status) touch(next, now);
  return next;
}

Run detection_after_stop(const Run& run, Time now) {
  Run next = run;
  next.hallucination_status = DetectionStatus::pending;
  if (next.hallucination_status != run.hallucination_status) touch(next, now);
  return next;
}

RunDecision on(Run& state, const CreateResult& command, const RunFacts& facts,
               const DecisionContext& moment) {
  if (state.status == RunStatus::canceled || state.status == RunStatus::failed) {
    return refuse_run(problem(ProblemKind::conflict, "the run is " + std::string(word_of(state.status)) +
                                                         " and accepts no more results"));
  }
  RunDecision decision;
  if (followed_status(state, facts) == RunStatus::completed) {
    state.status = RunStatus::running;
    touch(state, moment.now);
    decision.saves_run = true;
  }
  decision.results.push_back(new_result(command, moment));
  RunReply reply{state, ResultReply{}};
  reply.result->head = decision.results.back().head;
  reply.result->extras = decision.results.back().extras;
  reply.result->entries = static_cast<std::uint32_t>(decision.results.back().test_case.history.size());
  decision.reply = std::move(reply);
  return decision;
}

RunStatus followed_status(const Run& run, const RunFacts& facts) {
  if (is_terminal(run.status)) return run.status;
  if (is_over(facts)) return RunStatus::completed;
  return facts.has_started ? RunStatus::running : run.status;
}

bool is_behind(const Run& run, const RunFacts& facts) {
  if (is_terminal(run.status)) return false;
  return is_over(facts) ||
         (run.status != RunStatus::running && (facts.has_started || facts.may_have_started));
}

RunDecision on(Run& state, const FollowResults&, const RunFacts& facts, const DecisionContext& moment) {
  RunDecision decision = on(state, ResultsMoved{facts.has_started}, facts, moment);
  decision.reply = RunReply{state, std::nullopt};
  return decision;
}

RunDecision on(Run& state, const ResultsMoved& event, const RunFacts& facts, const DecisionContext& moment) {
  if (is_terminal(state.status)) return {};
  RunDecision decision;
  if (state.status != RunStatus::running && (event.has_started || facts.has_started)) {
    state.status = RunStatus::running;
    decision.saves_run = true;
  }
  if (is_over(facts)) {
    state.status = RunStatus::completed;
    decision.saves_run = true;
    decision.needs_idle = true;
  }
  if (decision.saves_run) touch(state, moment.now);
  return decision;
}

}  // namespace parley::actors
