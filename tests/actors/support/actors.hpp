#pragma once
/// All actors of the product as one process under CAF's testing scheduler, on the test's thread. The test chooses which
/// actor handles its next message. One thread.

#include <gtest/gtest.h>

#include <caf/scheduler/test_coordinator.hpp>
#include <functional>
#include <memory>
#include <random>
#include <vector>

#include "actors/driving/dispatcher_actor.hpp"
#include "actors/driving/workflow_actor.hpp"
#include "actors/grounding/claim_check_actor.hpp"
#include "actors/lifecycle/gateway_actors.hpp"
#include "actors/lifecycle/recovery.hpp"
#include "actors/records/records_actor.hpp"
#include "actors/runtime/background_actor.hpp"
#include "actors/runtime/writer_actor.hpp"
#include "model/limits.hpp"

namespace parley::actors::test {

/// Where a completion stores its answer. Precondition for reading: exactly one answer.
template <class T>
class Answer {
 public:
  [[nodiscard]] Completion<T> completion() {
    return [given = given_](Expected<T> answer) { given->push_back(std::move(answer)); };
  }
  [[nodiscard]] std::size_t count() const { return given_->size(); }
  /// 200, the problem's status, 0 if there is no answer yet, or 1 if it was answered twice.
  [[nodiscard]] int status() const {
    if (given_->empty()) return 0;
    if (given_->size() > 1) return 1;
    return given_->front().ok() ? 200 : given_->front().problem().status();
  }
  [[nodiscard]] const T& value() const { return given_->front().value(); }
  [[nodiscard]] const Problem& problem() const { return given_->front().problem(); }

 private:
  std::shared_ptr<std::vector<Expected<T>>> given_ = std::make_shared<std::vector<Expected<T>>>();
};
using ResultAnswer = Answer<ResultReply>;
using RunAnswer = Answer<RunReply>;

/// A thread for long work like the product's, but without asking the operating system for a lower priority. A class,
/// because CAF 0.17 reads a null pointer when it spawns a function without arguments.
class SimulatedThread : public BackgroundThread::base {
 public:
  using BackgroundThread::base::base;
  behavior_type make_behavior() override {
    return {[](const BackgroundWork& message) {
      message.work(Done{});
      return WorkOver{};
    }};
  }
};

/// The actors of one process. They cannot end without stop(); a crash is a stop without a writer.
class Actors {
 public:
  explicit Actors(Services& world) : world_(world), system_(testing(config_)) {
    room_ = system_.spawn<WaitingClientsActor>(std::ref(world), std::ref(room_figures_));
    writer_ = system_.spawn<WriterActor>(std::ref(world), room_, std::cref(room_figures_));
    std::vector<Scoring> all;
    for (std::size_t i = 0; i < world.settings.scoring_threads; ++i)
      all.push_back(system_.spawn<ScoringActor>(std::ref(world), writer_, std::ref(scoring_figures_)));
    scoring_ = ScoringPool(std::move(all));
    workflow_ = system_.spawn<WorkflowActor>(std::ref(world));
    dispatcher_ = system_.spawn<DispatcherActor>(std::ref(world), workflow_, std::ref(dispatch_figures_));
    tracing_ = system_.spawn<ClaimCheckActor>(std::ref(world));
    directory_ = system_.spawn<DirectoryActor>(std::ref(world), writer_, scoring_, dispatcher_, tracing_,
                                               std::ref(directory_figures_));
    records_ = system_.spawn<RecordsActor>(std::ref(world), writer_, dispatcher_);
    background_ = spawn_background();
    for (const Scoring& each : scoring_.all())
      caf::anon_send(each, Introduce{caf::actor_cast<caf::strong_actor_ptr>(directory_)});
    caf::anon_send(dispatcher_, Introduce{caf::actor_cast<caf::strong_actor_ptr>(directory_)});
    caf::anon_send(workflow_, Introduce{caf::actor_cast<caf::strong_actor_ptr>(directory_)});
    caf::anon_send(tracing_, Introduce{caf::actor_cast<caf::strong_actor_ptr>(directory_)});
    gateway_ = std::make_unique<GatewayToActors>(
        world, GatewayToActors::Handles{directory_, records_, scoring_, room_, background_},
        directory_figures_, scoring_figures_, room_figures_, dispatch_figures_);
    settle();
  }
  ~Actors() {
    // As in the supervisor, the workflow actor ends first, because results save its last marks. The loop is bounded,
    // because after a crash no commit succeeds, and an event would be decided again indefinitely.
    caf::anon_send_exit(workflow_, caf::exit_reason::user_shutdown);
    const auto* workflow = caf::actor_cast<caf::abstract_actor*>(workflow_);
    const auto has_ended = [workflow] { return workflow->getf(caf::abstract_actor::is_terminated_flag); };
    for (int steps = 0; steps < 1'000 && !has_ended() && jobs().try_run_once(); ++steps) {
    }
    caf::anon_send(directory_, Stop{});
    settle();
    for (const Scoring& each : scoring_.all()) caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(records_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(dispatcher_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(tracing_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(room_, caf::exit_reason::user_shutdown);
    caf::anon_send_exit(background_, caf::exit_reason::user_shutdown);
    for (const BackgroundThread& each : background_threads_)
      caf::anon_send_exit(each, caf::exit_reason::user_shutdown);
    settle();
    caf::anon_send_exit(writer_, caf::exit_reason::user_shutdown);
    settle();
    gateway_->release();
    directory_ = nullptr;
    scoring_.release();
    dispatcher_ = nullptr;
    workflow_ = nullptr;
    tracing_ = nullptr;
    records_ = nullptr;
    room_ = nullptr;
    background_ = nullptr;
    background_threads_.clear();
    writer_ = nullptr;
  }
  Actors(const Actors&) = delete;
  Actors& operator=(const Actors&) = delete;

  [[nodiscard]] GatewayToActors& gateway() { return *gateway_; }
  [[nodiscard]] const Writer& writer() const { return writer_; }

  /// Handles every message in the order of arrival, until no actor has one.
  void settle() {
    while (jobs().try_run_once()) {
    }
  }
  /// Handles up to `steps` messages, each of a randomly chosen actor.
  void step(std::mt19937_64& dice, std::size_t steps) {
    for (; steps > 0 && jobs().has_job(); --steps) {
      const auto place = static_cast<std::ptrdiff_t>(dice() % jobs().jobs.size());
      std::rotate(jobs().jobs.begin(), jobs().jobs.begin() + place, jobs().jobs.begin() + place + 1);
      jobs().run_once();
    }
  }
  void settle(std::mt19937_64& dice) { step(dice, SIZE_MAX); }
  /// Runs every actor except the writer, so that commits stay in progress.
  void settle_but_writer() {
    jobs().run_jobs_filtered([this](const caf::resumable* job) { return job != job_of_writer(); });
  }
  /// Runs only the writer: pending changes reach the disk, and no actor is notified.
  void settle_writer() {
    jobs().run_jobs_filtered([this](const caf::resumable* job) { return job == job_of_writer(); });
  }
  /// Delivers a verdict, as the scoring actor does.
  void deliver(const Id& result, Scored verdict) {
    caf::anon_send(directory_, ScoredResult{result, std::move(verdict)});
  }
  /// Delivers a command as the gateway does, but without the gateway's protection of completions.
  void deliver(ToResult command) { caf::anon_send(directory_, std::move(command)); }
  void deliver(ToRun command) { caf::anon_send(directory_, std::move(command)); }
  /// Requests the scoring of a claim, as the actor of its result does.
  void deliver(const ScoreJob& job) { caf::anon_send(scoring_.of(job.result), job); }
  /// The number of actors that have a message; each keeps its place until the next message is taken.
  [[nodiscard]] std::size_t waiting() { return jobs().jobs.size(); }
  [[nodiscard]] bool is_writer(std::size_t place) { return jobs().jobs[place] == job_of_writer(); }
  /// Lets the actor at this place handle its next message.
  void take_one(std::size_t place) {
    const auto begin = jobs().jobs.begin();
    const auto at = begin + static_cast<std::ptrdiff_t>(place);
    std::rotate(begin, at, at + 1);
    jobs().run_once();
  }
  /// Advances the actors' own timers.
  void pass(std::chrono::milliseconds time) { jobs().advance_time(time); }

  /// Leaves in the mailboxes what recovery dispatches.
  [[nodiscard]] Expected<Recovered> recover() {
    // Recovery waits for the writer on this thread, so the writer works as soon as it receives a message.
    std::function<void()> write = [&] {
      jobs().run_jobs_filtered([this](const caf::resumable* job) { return job == job_of_writer(); });
      jobs().after_next_enqueue(write);
    };
    jobs().after_next_enqueue(write);
    Expected<Recovered> recovered =
        recover_all(world_, system_, writer_, {scoring_, dispatcher_, directory_, tracing_});
    jobs().after_next_enqueue(std::function<void()>{});
    return recovered;
  }

 private:
  static caf::actor_system_config& testing(caf::actor_system_config& config) {
    config.set("scheduler.policy", caf::atom("testing"));
    return config;
  }
  Background spawn_background() {
    for (std::size_t i = 0; i < limits::background_threads; ++i)
      background_threads_.push_back(system_.spawn<SimulatedThread>());
    return system_.spawn<BackgroundActor>(std::ref(world_), background_threads_, QueueBounds{});
  }
  [[nodiscard]] const caf::resumable* job_of_writer() const {
    return dynamic_cast<caf::resumable*>(caf::actor_cast<caf::abstract_actor*>(writer_));
  }
  [[nodiscard]] caf::scheduler::test_coordinator& jobs() {
    return dynamic_cast<caf::scheduler::test_coordinator&>(system_.scheduler());
  }

  Services& world_;
  DirectoryFigures directory_figures_;
  ScoringFigures scoring_figures_;
  WaitingClientsFigures room_figures_;
  caf::actor_system_config config_;
  caf::actor_system system_;
  WaitingClients room_;
  std::vector<BackgroundThread> background_threads_;
  Background background_;
  Writer writer_;
  Directory directory_;
  ScoringPool scoring_;
  Workflow workflow_;
  ClaimChecks tracing_;
  Dispatcher dispatcher_;
  DispatchFigures dispatch_figures_;
  Records records_;
  std::unique_ptr<GatewayToActors> gateway_;
};

}  // namespace parley::actors::test
