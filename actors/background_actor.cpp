#include "actors/background_actor.hpp"

#include <utility>

#include "actors/thrown.hpp"

namespace parley::actors {

BackgroundActor::BackgroundActor(caf::actor_config& config, World& world,
                                 std::vector<BackgroundThread> threads)
    : Background::base(config), world_(world), idle_(std::move(threads)) {}

BackgroundActor::behavior_type BackgroundActor::make_behavior() {
  set_exception_handler(ends_process("background actor", world_));
  return {
      [this](BackgroundWork& work) {
        waiting_.push_back(std::move(work));
        hand_out();
      },
  };
}

void BackgroundActor::on_exit() {
  idle_.clear();
  waiting_.clear();
}

void BackgroundActor::hand_out() {
  while (!idle_.empty() && !waiting_.empty()) {
    const BackgroundThread thread = std::move(idle_.back());
    idle_.pop_back();
    BackgroundWork next = std::move(waiting_.front());
    waiting_.pop_front();
    request(thread, caf::infinite, std::move(next))
        .then(
            [this, thread](WorkOver) {
              idle_.push_back(thread);
              hand_out();
            },
            [](const caf::error&) {});  // the server stops
  }
}

}  // namespace parley::actors
