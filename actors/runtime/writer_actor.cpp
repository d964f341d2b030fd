#include "actors/runtime/writer_actor.hpp"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include <algorithm>
#include <utility>

#include "actors/base/actor_failure.hpp"
#include "actors/runtime/commit_news.hpp"
#include "model/limits.hpp"

namespace parley::actors {

namespace {

/// While a whole run is being canceled, every other commit waits. So on busy cores this thread takes
/// precedence where the system allows that (LimitNICE in the unit, CAP_SYS_NICE). On Linux this affects only
/// the calling thread. If the call is refused, all threads share equally.
class Precedence {
 public:
  explicit Precedence(bool is_wanted)
      : before_(is_wanted ? ::getpriority(PRIO_PROCESS, 0) : 0),
        is_taken_(is_wanted && ::setpriority(PRIO_PROCESS, 0, niceness) == 0),
        is_refused_(is_wanted && !is_taken_) {}
  ~Precedence() {
    if (is_taken_) ::setpriority(PRIO_PROCESS, 0, before_);
  }
  Precedence(const Precedence&) = delete;
  Precedence& operator=(const Precedence&) = delete;
  [[nodiscard]] bool is_refused() const { return is_refused_; }

 private:
  static constexpr int niceness = -10;
  int before_;
  bool is_taken_;
  bool is_refused_;
};

bool cancels_a_run(const std::vector<store::ChangeSet>& batch) {
  return std::any_of(batch.begin(), batch.end(),
                     [](const store::ChangeSet& set) { return !set.cancels.empty(); });
}

}  // namespace

WriterActor::WriterActor(caf::actor_config& config, Services& services, WaitingClients room,
                         const WaitingClientsFigures& waiters, Events events,
                         const EventFigures* event_figures, Webhooks webhooks, Telemetry telemetry)
    : Writer::base(config),
      services_(services),
      room_(std::move(room)),
      waiters_(waiters),
      events_(std::move(events)),
      event_figures_(event_figures),
      webhooks_(std::move(webhooks)),
      telemetry_(std::move(telemetry)) {}

WriterActor::behavior_type WriterActor::make_behavior() {
  set_exception_handler(ends_process("writer", services_));
  return {
      [this](Commit& commit) { return gather(commit); },
      [this](Flush) { flush(); },
  };
}

void WriterActor::on_exit() {
  flush();
  room_ = nullptr;
  events_ = nullptr;
  webhooks_ = nullptr;
  telemetry_ = nullptr;
}

WriterActor::Promise WriterActor::gather(Commit& commit) {
  // The first change set after a commit sends Flush after everything that is already waiting: no timer, no
  // added latency.
  if (batch_.empty()) send(this, Flush{});
  batch_.push_back(std::move(commit.changes));
  promises_.push_back(make_response_promise<Promise>());
  Promise promise = promises_.back();
  if (batch_.size() >= limits::batch_change_sets_max) flush();
  return promise;
}

void WriterActor::flush() {
  if (batch_.empty()) return;
  const std::vector<store::ChangeSet> batch = std::move(batch_);
  std::vector<Promise> promises = std::move(promises_);
  batch_.clear();
  promises_.clear();
  const Precedence precedence(getf(is_detached_flag) && cancels_a_run(batch));
  if (precedence.is_refused() && !std::exchange(reported_refused_, true)) {
    spdlog::info(
        "cannot raise the priority of canceling a run: the system refuses it (LimitNICE, SystemCallFilter)");
  }
  std::vector<store::Outcome> outcomes = services_.store.committer().commit(batch);
  if (waiters_.waiting > 0) send(room_, news_of(batch, outcomes));
  if (event_figures_ != nullptr && event_figures_->is_watched) {
    if (Committed committed = committed_of(batch, outcomes); !committed.moved.empty())
      send(events_, std::move(committed));
  }
  if (webhooks_) notify_webhooks(batch);
  if (telemetry_) notify_telemetry(batch, outcomes);
  for (std::size_t i = 0; i < promises.size(); ++i) promises[i].deliver(std::move(outcomes[i]));
  if (services_.store.committer().is_broken() && !reported_broken_) {
    reported_broken_ = true;
    if (services_.on_broken_store)
      services_.on_broken_store("a commit failed; the state on disk is unknown until a restart");
  }
}

/// A refused change set also counts: the actor then finds nothing new.
void WriterActor::notify_webhooks(const std::vector<store::ChangeSet>& batch) {
  const auto is_notice = [](const store::Write& write) {
    return write.table == store::TableId::notices && !write.value.empty();
  };
  const bool has_news = std::any_of(batch.begin(), batch.end(), [&](const store::ChangeSet& set) {
    return std::any_of(set.writes.begin(), set.writes.end(), is_notice);
  });
  if (has_news) send(webhooks_, Flush{});
}

void WriterActor::notify_telemetry(const std::vector<store::ChangeSet>& batch,
                                   const std::vector<store::Outcome>& outcomes) {
  ResultsTouched touched;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    if (outcomes[i].kind != store::Outcome::Kind::committed) continue;
    for (const store::Write& write : batch[i].writes) {
      if (write.table == store::TableId::result_heads && !write.value.empty())
        touched.results.push_back(store::id_at(write.key));
    }
  }
  if (!touched.results.empty()) send(telemetry_, std::move(touched));
}

}  // namespace parley::actors
