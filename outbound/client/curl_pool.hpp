#pragma once
/// CurlPool: libcurl's multi handles on one epoll. The cost of a multi handle grows with its transfers, so they
/// are spread over shards of at most calls_per_shard_max. Calls to the operator's own URLs have separate
/// shards: a connection opened for such a call is never reused for a call that the guard would have blocked.
///
/// Thread: the loop's only, except wake(). Order: remove every transfer before destroying the pool.

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

  /// Throws std::system_error if the system refuses file descriptors. `limits` must outlive the object.
  explicit CurlPool(const CallLimits& limits);
  ~CurlPool();
  CurlPool(const CurlPool&) = delete;
  CurlPool& operator=(const CurlPool&) = delete;

  /// Begins the transfer and returns the number of its shard. Throws std::bad_alloc.
  std::size_t add(CURL* easy, bool is_trusted);
  /// Ends the transfer, finished or not. Keeps its connection if it can be reused.
  void remove(CURL* easy, std::size_t shard);
  /// Waits for events until the given time at most, and lets libcurl continue. The caller must still remove the
  /// finished transfers.
  [[nodiscard]] std::vector<Finished> run(std::int64_t until_ms);
  /// Makes run() return. Any thread.
  void wake();
  /// The sockets of the transfers.
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
  std::vector<std::unique_ptr<Shard>> shards_;  // a number always refers to the same shard
  std::vector<std::size_t> active_;             ///< shards in which transfers may have finished
};

}  // namespace parley::outbound
