#include "actors/runtime/background_thread.hpp"

#include <spdlog/spdlog.h>
#include <sys/resource.h>

#include "actors/base/commit_outcome.hpp"

namespace parley::actors {
namespace {

/// At most 19. With this value the kernel gives the thread a ninth of another thread's share if both want a
/// core.
constexpr int niceness = 10;

}  // namespace

BackgroundThreadActor::behavior_type BackgroundThreadActor::make_behavior() {
  // On Linux this affects only the calling thread, and a detached actor has a thread of its own. If the call
  // is refused, all threads share equally.
  if (setpriority(PRIO_PROCESS, 0, niceness) != 0)
    spdlog::warn("cannot lower the priority of long work: the system refuses it (SystemCallFilter)");
  return {
      [](const BackgroundWork& message) {
        const Expected<Done> ended = guarded<Done>([&]() -> Expected<Done> {
          message.work(Done{});
          return Done{};
        });
        static_cast<void>(ended);  // the exception is logged, and a caller without an answer gets one
        return WorkOver{};
      },
  };
}

}  // namespace parley::actors
