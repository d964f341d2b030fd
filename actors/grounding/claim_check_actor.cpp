#include "actors/grounding/claim_check_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/base/never_lost.hpp"
#include "actors/result/turn_requests.hpp"

namespace parley::actors {
namespace {

/// Results whose claims are saved concurrently: enough for the writer's batches, little to lose.
constexpr std::size_t results_out_max = 32;
/// Ids read in one step.
constexpr std::size_t results_per_step = 256;
/// With more damaged results than this, it is not worth checking the store further.
constexpr std::size_t faults_max = 1'000;

bool is_gone(const Problem& problem) {
  return problem.kind == ProblemKind::not_found;
}

}  // namespace

ClaimCheckActor::ClaimCheckActor(caf::actor_config& config, Services& services)
    : ClaimChecks::base(config), services_(services) {}

ClaimCheckActor::behavior_type ClaimCheckActor::make_behavior() {
  set_exception_handler(ends_process("tracer", services_));
  return {
      [this](const CheckRunClaims& run) {
        runs_.push_back(run);
        if (runs_.size() == 1) begin();
      },
      [this](const DetectionMoved& message) { moved(message); },
      [this](const ProseReturned& message) { returned(message); },
      [this](const ClaimsSaved& message) { kept(message); },
      [this](Continue) { carry_on(); },
      [this](const Introduce& introduce) { directory_ = caf::actor_cast<Directory>(introduce.directory); },
  };
}

void ClaimCheckActor::on_exit() {
  directory_ = nullptr;
}

void ClaimCheckActor::begin() {
  progress_ = {};
  if (!runs_.empty()) move(DetectionStatus::running);
}

void ClaimCheckActor::move(DetectionStatus to) {
  const CheckRunClaims& run = runs_.front();
  progress_.wanted = to;
  const Completion<RunReply> on_done = [me = ClaimChecks{this},
                                        number = ++move_number_](const Expected<RunReply>& answer) {
    using Kind = DetectionMoved::Kind;
    if (answer) return caf::anon_send(me, DetectionMoved{number, Kind::taken});
    const bool is_dropped = is_gone(answer.problem()) || answer.problem().kind == ProblemKind::conflict;
    caf::anon_send(me, DetectionMoved{number, is_dropped ? Kind::dropped : Kind::refused});
  };
  send(directory_, ToRun{run.run, RunRequest{MoveDetection{run.detection, to}, never_lost(on_done)}});
}

void ClaimCheckActor::moved(const DetectionMoved& message) {
  // Answers to earlier messages no longer count.
  if (message.number != move_number_ || progress_.phase == Phase::tracing || runs_.empty()) return;
  if (message.kind == DetectionMoved::Kind::refused) {
    delayed_send(this, retry_commit_after, Continue{});
    return;
  }
  if (progress_.phase == Phase::starting && message.kind == DetectionMoved::Kind::taken) {
    progress_.phase = Phase::tracing;
    send(this, Continue{});
    return;
  }
  runs_.pop_front();
  begin();
}

void ClaimCheckActor::kept(const ClaimsSaved& message) {
  count_out(message.is_lost);
  if (!message.is_lost && !progress_.has_progress) {
    progress_.has_progress = true;
    move(DetectionStatus::running);  // from now on a crash counts as the first one again
  }
  end_if_done();
}

void ClaimCheckActor::count_out(bool is_lost) {
  --progress_.out;
  progress_.has_lost = progress_.has_lost || is_lost;
  if (std::exchange(progress_.is_waiting, false)) send(this, Continue{});
}

void ClaimCheckActor::carry_on() {
  if (runs_.empty()) return;
  if (progress_.phase != Phase::tracing) return move(progress_.wanted);
  if (progress_.is_over) return;
  if (progress_.out >= results_out_max) {
    progress_.is_waiting = true;
    return;
  }
  const Expected<Done> traced = guarded<Done>([this] { return trace_next(); });
  if (!traced) {
    // A damaged result fails the detection, but the other results are still checked (I13).
    spdlog::error("claims not traced run={} detail=\"{}\"", to_text(runs_.front().run),
                  traced.problem().detail);
    progress_.has_lost = true;
    progress_.is_over = ++progress_.faults >= faults_max;
  }
  if (!progress_.is_over) send(this, Continue{});
  end_if_done();
}

Expected<Id> ClaimCheckActor::next_result(const store::Snapshot& snapshot) {
  while (progress_.next.empty()) {
    const store::Slice slice{RecordKind::test_result, store::Facet::run, store::value_of(runs_.front().run),
                             store::all_shelves.at(progress_.shelf)};
    const std::vector<Id> ids = snapshot.ids_in(slice, progress_.after, results_per_step);
    if (ids.empty() && progress_.shelf + 1 == store::all_shelves.size()) return Id{};
    if (ids.empty()) {
      ++progress_.shelf;
      progress_.after = {};
      continue;
    }
    progress_.next.assign(ids.begin(), ids.end());
    progress_.after = ids.back();
  }
  const Id id = progress_.next.front();
  progress_.next.pop_front();
  return id;
}

/// Whether the run still wants this detection: it may have been ended to delete the run, or the run may be deleted.
bool ClaimCheckActor::is_asked_for(const std::optional<Run>& run) const {
  return run && run->detection == runs_.front().detection && is_under_way(run->hallucination_status);
}

Expected<Done> ClaimCheckActor::trace_next() {
  std::optional<CheckedClaims> traced;
  {
    const store::Snapshot snapshot = services_.store.snapshot();
    TRY(id, next_result(snapshot));
    if (id.is_nil()) {
      progress_.is_over = true;
      return Done{};
    }
    TRY(run, snapshot.find<Run>(runs_.front().run));
    if (!is_asked_for(run)) {
      progress_.is_over = progress_.is_dropped = true;
      return Done{};
    }
    TRY(agent, run ? snapshot.find<Agent>(run->agent.id) : Expected<std::optional<Agent>>(std::nullopt));
    TRY(loaded, load_traced(snapshot, id, runs_.front().detection, agent));
    traced = std::move(loaded);
  }
  if (!traced) return Done{};
  trace(*traced);
  ++progress_.out;
  if (!services_.settings.judge_model) {
    keep(*traced);
    return Done{};
  }
  const std::uint64_t number = ++asked_number_;
  asked_.emplace(number, std::move(*traced));
  ask(number);
  return Done{};
}

void ClaimCheckActor::ask(std::uint64_t number) {
  auto question = prose_question(*services_.settings.judge_model, asked_.at(number));
  if (const auto* fault = std::get_if<CallFault>(&question)) {
    caf::anon_send(ClaimChecks{this},
                   ProseReturned{number, outbound::Failure{outbound::FailureKind::broken, fault->detail}});
    return;
  }
  services_.outside.start(std::get<outbound::HttpRequest>(std::move(question)), judge_retries,
                          [me = ClaimChecks{this}, number](outbound::HttpOutcome outcome, int) {
                            caf::anon_send(me, ProseReturned{number, std::move(outcome)});
                          });
}

void ClaimCheckActor::returned(const ProseReturned& message) {
  const auto found = asked_.find(message.number);
  if (found == asked_.end()) return;
  const auto* failure = std::get_if<outbound::Failure>(&message.outcome);
  // The server stops; the next start continues with this result.
  if (failure != nullptr && failure->kind == outbound::FailureKind::canceled) return;
  CheckedClaims& traced = found->second;
  if (progress_.is_dropped) {
    asked_.erase(found);
    count_out(false);
    return end_if_done();
  }
  auto read = guarded<std::optional<VoidAnswer>>(
      [&] { return add_prose(traced, message.outcome, *services_.settings.judge_model); });
  // An answer that cannot be read concerns only one result.
  if (!read) read = std::optional<VoidAnswer>({CallFault{"internal", read.problem().detail}, false});
  if (const auto& void_prose = *read) {
    if (void_prose->again && ++traced.voids < void_answers_max) return ask(message.number);
    spdlog::warn("no claims in prose result={} code={}", to_text(traced.result), void_prose->fault.code);
    progress_.has_lost = true;
  }
  keep(traced);
  asked_.erase(found);
}

void ClaimCheckActor::keep(const CheckedClaims& traced) {
  const Completion<ResultReply> on_done = [me = ClaimChecks{this}](const Expected<ResultReply>& answer) {
    caf::anon_send(me, ClaimsSaved{!answer && !is_gone(answer.problem())});
  };
  send(directory_, ToResult{traced.result, ResultRequest{traced.kept(), never_lost(on_done)}});
}

void ClaimCheckActor::end_if_done() {
  if (progress_.phase != Phase::tracing || !progress_.is_over || progress_.out > 0) return;
  progress_.phase = Phase::ending;
  move(progress_.has_lost ? DetectionStatus::failed : DetectionStatus::completed);
}

}  // namespace parley::actors
