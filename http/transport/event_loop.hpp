#pragma once
/// EventLoop: Pistache's Aio::Reactor behind the few words that parley needs of it (ADR 2). One thread runs
/// it; each descriptor is registered once, edge-triggered, for everything.
///
/// Thread: watch and forget on the thread that runs it (or before it runs), stop on any.
/// Needs: one handler a reactor. Pistache 0.0.5 mixes up the tags of two, and its notifying descriptor is
/// never closed: every loop that is made costs the process one descriptor until it ends.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace parley::http {

/// Something became possible on the descriptor watched under `tag`. Pistache tells neither errors nor
/// half-closing apart; both make it readable.
struct Readiness {
  std::uint64_t tag = 0;
  bool hung_up = false;  ///< closed in both directions: nothing can be sent any more
};

class EventLoop {
 public:
  using OnReady = std::function<void(const std::vector<Readiness>&)>;

  explicit EventLoop(OnReady on_ready);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Throws std::runtime_error when the system refuses (out of memory or watches).
  void watch(int fd, std::uint64_t tag);
  /// Before the descriptor is closed.
  void forget(int fd);
  /// Returns after stop(), also after one that came earlier.
  void run();
  void stop();

 private:
  class Dispatch;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley::http
