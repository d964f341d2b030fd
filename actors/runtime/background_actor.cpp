#include "actors/runtime/background_actor.hpp"

#include <utility>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

/// Answers the waiting caller that the work will not be done.
void refuse(BackgroundWork& work, const Problem& why) {
  const auto ran = guarded<Done>([&]() -> Expected<Done> {
    work.work(why);
    return Done{};
  });
  static_cast<void>(ran);  // the exception is logged, and a caller without an answer gets one
}

}  // namespace

BackgroundActor::BackgroundActor(caf::actor_config& config, Services& services,
                                 std::vector<BackgroundThread> threads, const QueueBounds& bounds)
    : Background::base(config), services_(services), idle_(std::move(threads)), waiting_(bounds) {}

BackgroundActor::behavior_type BackgroundActor::make_behavior() {
  set_exception_handler(ends_process("background actor", services_));
  return {
      [this](BackgroundWork& work) { take(work); },
      [this](Stop) {
        is_ending_ = true;
        while (!waiting_.is_empty()) {
          BackgroundWork work = waiting_.take();
          refuse(work, stopping());
        }
      },
  };
}

void BackgroundActor::on_exit() {
  idle_.clear();
  while (!waiting_.is_empty()) static_cast<void>(waiting_.take());
}

void BackgroundActor::take(BackgroundWork& work) {
  if (is_ending_) return refuse(work, stopping());
  if (!waiting_.has_room(work.owner, work.bytes)) return refuse(work, too_busy());
  const Id owner = work.owner;
  const std::size_t bytes = work.bytes;
  waiting_.put(owner, bytes, std::move(work));
  hand_out();
}

void BackgroundActor::hand_out() {
  while (!idle_.empty() && !waiting_.is_empty()) {
    const BackgroundThread thread = std::move(idle_.back());
    idle_.pop_back();
    request(thread, caf::infinite, waiting_.take())
        .then(
            [this, thread](WorkOver) {
              idle_.push_back(thread);
              hand_out();
            },
            [](const caf::error&) {});  // the server stops
  }
}

}  // namespace parley::actors
