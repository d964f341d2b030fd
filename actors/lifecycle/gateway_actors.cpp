#include "actors/lifecycle/gateway_actors.hpp"

#include <algorithm>
#include <thread>

#include "actors/base/commit_outcome.hpp"
#include "actors/driving/agent_probe.hpp"
#include "actors/verdicts/judging.hpp"
#include "actors/verdicts/log_judging.hpp"
#include "actors/verdicts/reviewing.hpp"
#include "model/limits.hpp"

namespace parley::actors {
namespace {

/// Whether a command that was undecided when the lead ended may still have an effect.
bool may_have_happened(const Problem& problem) {
  return problem.kind == ProblemKind::busy || problem.kind == ProblemKind::draining;
}

/// An admitted caller: answered and counted out exactly once, even if its command is lost with its actor.
template <class T>
class Caller {
 public:
  Caller(std::atomic<std::uint64_t>& in_flight, Completion<T> done,
         std::shared_ptr<std::atomic<bool>> lead_is_over)
      : in_flight_(in_flight), done_(std::move(done)), lead_is_over_(std::move(lead_is_over)) {}
  ~Caller() {
    if (done_) answer(broken_off());
  }
  Caller(const Caller&) = delete;
  Caller& operator=(const Caller&) = delete;

  void answer(Expected<T> answer) {
    --in_flight_;
    const bool lost_its_lead = lead_is_over_ != nullptr && *lead_is_over_;
    if (lost_its_lead && !answer.ok() && may_have_happened(answer.problem())) answer = in_doubt();
    const auto called = guarded<Done>([&] {
      std::exchange(done_, {})(std::move(answer));
      return Done{};
    });
    static_cast<void>(called);  // the exception is logged; it concerns one answer, not an actor
  }

 private:
  std::atomic<std::uint64_t>& in_flight_;
  Completion<T> done_;
  std::shared_ptr<std::atomic<bool>> lead_is_over_;
};

/// A piece of long work that is counted out when it ends, even if it throws.
class CountedOut {
 public:
  explicit CountedOut(std::atomic<std::size_t>& counted) : counted_(counted) {}
  ~CountedOut() { --counted_; }
  CountedOut(const CountedOut&) = delete;
  CountedOut& operator=(const CountedOut&) = delete;

 private:
  std::atomic<std::size_t>& counted_;
};

}  // namespace

GatewayToActors::GatewayToActors(Services& services, Handles handles, const DirectoryFigures& directory,
                                 const ScoringFigures& scoring, const WaitingClientsFigures& room,
                                 const DispatchFigures& dispatch)
    : services_(services),
      handles_(std::move(handles)),
      directory_(directory),
      scoring_(scoring),
      room_(room),
      dispatch_(dispatch),
      is_paused_(services.settings.scoring_paused) {
  if (handles_.directory) lead(handles_.directory, handles_.records, handles_.scoring);
  handles_.directory = nullptr;
  handles_.records = nullptr;
  handles_.scoring.release();
}

void GatewayToActors::lead(Directory directory, Records records, ScoringPool scoring) {
  for (const Scoring& each : scoring.all()) {
    if (is_paused_) caf::anon_send(each, PauseScoring{true});
  }
  leading_.store(
      std::make_shared<const Leading>(Leading{std::move(directory), std::move(records), std::move(scoring)}));
}

void GatewayToActors::follow() {
  const auto ended = leading_.exchange(nullptr);
  if (ended != nullptr) *ended->is_over = true;
}

void GatewayToActors::await_answers(std::chrono::milliseconds longest) const {
  const auto until = std::chrono::steady_clock::now() + longest;
  while (in_flight_ > 0 && std::chrono::steady_clock::now() < until)
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

/// The completion wrapped in a Caller; nullopt if the bound is reached, in which case the caller was
/// answered.
template <class T>
std::optional<Completion<T>> GatewayToActors::enter(Completion<T>& done,
                                                    std::shared_ptr<std::atomic<bool>> lead_is_over) {
  if (in_flight_.fetch_add(1) >= limits::commands_in_flight_max) {
    --in_flight_;
    ++refused_busy_;
    done(too_busy());
    return std::nullopt;
  }
  const auto caller = std::make_shared<Caller<T>>(in_flight_, std::move(done), std::move(lead_is_over));
  return Completion<T>([caller](Expected<T> answer) { caller->answer(std::move(answer)); });
}

void GatewayToActors::to_result(const Id& result, ResultCommand command, Origin origin,
                                Completion<ResultReply> done) {
  const auto to = leading_.load();
  if (to == nullptr) return done(no_leader());
  if (auto entered = enter(done, to->is_over)) {
    caf::anon_send(to->directory,
                   ToResult{result, {std::move(command), std::move(*entered), std::move(origin)}});
  }
}

void GatewayToActors::to_run(const Id& run, RunCommand command, Origin origin, Completion<RunReply> done) {
  const bool is_new = std::holds_alternative<CreateRun>(command);
  const Id id = is_new ? services_.ids.next(services_.clock.now()) : run;
  const auto to = leading_.load();
  if (to == nullptr) return done(no_leader());
  if (auto entered = enter(done, to->is_over)) {
    caf::anon_send(to->directory, ToRun{id, {std::move(command), std::move(*entered), std::move(origin)}});
  }
}

void GatewayToActors::create_preview(CreateResult command, Origin origin, Completion<ResultReply> done) {
  const auto to = leading_.load();
  if (to == nullptr) return done(no_leader());
  if (auto entered = enter(done, to->is_over)) {
    caf::anon_send(to->records, PreviewRequest{std::move(command), std::move(*entered), std::move(origin)});
  }
}

void GatewayToActors::change_records(Decide decide, Completion<Done> done) {
  const auto to = leading_.load();
  if (to == nullptr) return done(no_leader());
  if (auto entered = enter(done, to->is_over)) {
    caf::anon_send(to->records, RecordsRequest{std::move(decide), std::move(*entered)});
  }
}

void GatewayToActors::check_agent(const Agent& agent, const std::optional<std::string>& trace,
                                  Completion<AgentProbe> done) {
  if (auto entered = enter(done)) actors::check_agent(services_, agent, trace, std::move(*entered));
}

/// Admits a caller whose conversation stays in memory while a judge model is asked; nullopt if it was
/// refused.
template <class T>
std::optional<Completion<T>> GatewayToActors::enter_with(std::size_t bytes, Completion<T> done) {
  const std::size_t before = reviewed_bytes_.fetch_add(bytes);
  if (bytes > 0 && before > 0 && before + bytes > limits::judged_bytes_max) {
    reviewed_bytes_ -= bytes;
    ++refused_busy_;
    done(too_busy());
    return std::nullopt;
  }
  Completion<T> counted = [this, bytes, done = std::move(done)](Expected<T> kept) {
    reviewed_bytes_ -= bytes;
    done(std::move(kept));
  };
  return enter(counted);
}

/// Work is not refused when memory is short: the judge was already asked, and the bytes are bounded.
std::function<void(std::function<void()> work)> GatewayToActors::background_runner() {
  return [this](std::function<void()> work) {
    ++background_;
    send_background([work = std::move(work)](const Expected<Done>&) { work(); });
  };
}

void GatewayToActors::ask_reviewer(Reviewing reviewing, Completion<SaveReview> done) {
  const std::size_t bytes = reviewing.open ? reviewing.open_bytes : 0;
  if (auto entered = enter_with(bytes, std::move(done)))
    actors::ask_reviewer(services_, background_runner(), std::move(reviewing), std::move(*entered));
}

void GatewayToActors::judge_log(LogToJudge log, Completion<LogVerdict> done) {
  const std::size_t bytes = bytes_of(log.entries) + log.entries.size() * sizeof(Entry);
  if (auto entered = enter_with(bytes, std::move(done)))
    actors::judge_log(services_, background_runner(), std::move(log), std::move(*entered));
}

void GatewayToActors::in_background(Completion<Done> work) {
  if (background_.fetch_add(1) < limits::background_max) return send_background(std::move(work));
  --background_;
  ++refused_busy_;
  work(too_busy());
}

void GatewayToActors::send_background(Completion<Done> work) {
  caf::anon_send(handles_.background, BackgroundWork{[this, work = std::move(work)](Expected<Done> turn) {
                   const CountedOut behind_the_work(background_);
                   work(std::move(turn));
                 }});
}

void GatewayToActors::in_turn(const Id& owner, std::size_t bytes, Completion<Done> work) {
  Completion<Done> counted = [this, work = std::move(work)](Expected<Done> turn) {
    if (!turn.ok() && turn.problem().kind == ProblemKind::busy) ++refused_busy_;
    work(std::move(turn));
  };
  caf::anon_send(handles_.checking, BackgroundWork{std::move(counted), owner, bytes});
}

void GatewayToActors::wait(Wait wait) {
  caf::anon_send(handles_.room, std::move(wait));
}

void GatewayToActors::end_waits() {
  *services_.is_stopping = true;
  caf::anon_send(handles_.room, Stop{});
  if (handles_.checking) caf::anon_send(handles_.checking, Stop{});
}

void GatewayToActors::pause_scoring(bool paused) {
  is_paused_ = paused;
  const auto to = leading_.load();
  if (to == nullptr) return;
  for (const Scoring& each : to->scoring.all()) caf::anon_send(each, PauseScoring{paused});
}

GatewayCounters GatewayToActors::counters() const {
  GatewayCounters counters;
  counters.in_flight = in_flight_;
  counters.refused_busy = refused_busy_;
  counters.live_actors = directory_.live;
  counters.scoring_waiting = scoring_.held;
  counters.clients_waiting = room_.waiting;
  counters.verdicts_passed = scoring_.passed;
  counters.verdicts_failed = scoring_.failed;
  counters.verdicts_undecided = scoring_.undecided;
  counters.judge_errors = scoring_.judge_errors;
  counters.judge_calls = scoring_.judge_calls;
  counters.judge_input_tokens = scoring_.judge_input_tokens;
  counters.judge_output_tokens = scoring_.judge_output_tokens;
  counters.tester_calls = services_.tester_figures->calls;
  counters.tester_input_tokens = services_.tester_figures->input_tokens;
  counters.tester_output_tokens = services_.tester_figures->output_tokens;
  counters.webhooks_owed = services_.webhook_figures->owed;
  counters.webhooks_delivered = services_.webhook_figures->delivered;
  counters.webhooks_given_up = services_.webhook_figures->given_up;
  counters.webhook_attempts_failed = services_.webhook_figures->attempts_failed;
  counters.late_dropped = directory_.late_dropped;
  counters.slots_taken = static_cast<std::uint64_t>(std::max<std::int64_t>(dispatch_.driven, 0));
  counters.slots_awaited = dispatch_.waiting;
  return counters;
}

}  // namespace parley::actors
