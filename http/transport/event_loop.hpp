#pragma once
/// EventLoop: Pistache's Aio::Reactor, reduced to the few calls that parley needs (ADR 2). One thread runs it. Each
/// descriptor is registered once, edge-triggered, for all events.
///
/// Thread: watch() and forget() on the thread that runs the loop, or before it runs; stop() on any. Needs: one
/// handler per reactor. Pistache 0.0.5 confuses the tags of two handlers, and never closes its notification
/// descriptor: every loop costs the process one descriptor until the process exits.

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

namespace parley::http {

/// The descriptor watched under `tag` became readable or writable. Pistache does not report errors or half-closing
/// separately; both make the descriptor readable.
struct Readiness {
  std::uint64_t tag = 0;
  bool hung_up = false;  ///< closed in both directions: nothing can be sent
};

class EventLoop {
 public:
  using OnReady = std::function<void(const std::vector<Readiness>&)>;

  explicit EventLoop(OnReady on_ready);
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Throws std::runtime_error if the system refuses (out of memory or watches).
  void watch(int fd, std::uint64_t tag);
  /// Must be called before the descriptor is closed.
  void forget(int fd);
  /// Returns after stop(), even if stop() was called earlier.
  void run();
  void stop();

 private:
  class Dispatch;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace parley::http
