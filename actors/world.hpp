#pragma once
/// What every actor is given of the world outside: the store's snapshots, the clock, the settings. Owned by the
/// supervisor, outlives all actors, read-only for them.

#include <functional>

#include "model/clock.hpp"
#include "model/id.hpp"
#include "store/store.hpp"

namespace parley::actors {

struct Settings {
  std::int64_t turns_max = 30;            ///< --max-turns (D49)
  std::int64_t stuck_after_ms = 600'000;  ///< --stuck-after (D50)
  std::int64_t rest_after_ms = 30'000;    ///< an actor without work for so long leaves memory
  bool scoring_paused = false;            ///< --scoring paused (D95)
};

struct World {
  store::Store& store;
  const Clock& clock;
  /// Safe from any thread.
  IdSource& ids;
  Settings settings;
  /// Called once, on the writer's thread, when the disk failed under a commit: nothing may be acknowledged any more
  /// (F7). The product ends the process here.
  std::function<void(const std::string& why)> on_broken_store;
};

}  // namespace parley::actors
