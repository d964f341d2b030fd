#pragma once
/// Wire: libcurl's multi handles on one epoll. The cost of a multi handle grows with its transfers, so they are spread
/// over shards of at most calls_per_shard_max. Calls to the operator's own URLs have shards of their own: a connection
/// that was opened for one of them is never reused for a call that the guard would have blocked.
///
/// Thread: the loop's only, except wake(). Order: every transfer is removed before the wire is destroyed.

#include <curl/curl.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "outbound/call_limits.hpp"
#include "outbound/client/sockets.hpp"

namespace parley::outbound {

class CurlPool {
 public:
  struct Finished {
    CURL* easy = nullptr;
    CURLcode code = CURLE_OK;
  };

  /// Throws std::system_error when the system refuses descriptors. `limits` outlives it.
  explicit CurlPool(const CallLimits& limits);
  ~CurlPool();
  CurlPool(const CurlPool&) = delete;
  CurlPool& operator=(const CurlPool&) = delete;

  /// Begins the transfer; returns the number of its shard. Throws std::bad_alloc.
  std::size_t add(CURL* easy, bool is_trusted);
  /// Ends it, finished or not. Its connection is kept if it can be reused.
  void remove(CURL* easy, std::size_t shard);
  /// Waits for events, at most until the given time, and lets libcurl continue. The caller must still remove
  /// the finished transfers.
  [[nodiscard]] std::vector<Finished> run(std::int64_t until_ms);
  /// Makes run() return. Any thread.
  void wake();
  /// The source of the transfers' sockets.
  [[nodiscard]] Sockets& sockets() { return sockets_; }

 private:
  struct Shard;
  static int on_socket(CURL* easy, curl_socket_t fd, int what, void* self, void* known);
  static int on_timer(CURLM* multi, long timeout_ms, void* self);

  Shard& room_for(bool is_trusted);
  void on_events(std::int64_t until_ms);
  void on_timers();
  void close_idle();

  const CallLimits& limits_;
  int epoll_ = -1;
  int wakeup_fd_ = -1;
  Sockets sockets_;
  std::vector<std::unique_ptr<Shard>> shards_;  // a number always means the same shard
  std::vector<std::size_t> active_;             ///< shards in which transfers may have finished
};

}  // namespace parley::outbound
