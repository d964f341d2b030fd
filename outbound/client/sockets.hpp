#pragma once
/// Sockets: the sockets that libcurl has open, on the pool's epoll, and the state of each while no call uses
/// it. libcurl considers a kept connection usable even if there is something to read on it, and reads that as
/// the answer to the next request. Here, unrequested bytes end the connection (RFC 9112 9.2, ADR 12). A socket
/// stays in the epoll between calls, so that a usual call changes nothing there.
///
/// Thread: the loop's only. Order: destroyed after the multi handles, which close their sockets through it.

#include <curl/curl.h>

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace parley::outbound {

/// Both ends of a connection, as libcurl reports them.
struct Ends {
  std::string local, peer;
  int local_port = 0, peer_port = 0;
  [[nodiscard]] std::string text() const;
};

class Sockets {
 public:
  /// `epoll` must outlive the object.
  explicit Sockets(int epoll) : epoll_(epoll) {}
  Sockets(const Sockets&) = delete;
  Sockets& operator=(const Sockets&) = delete;

  /// Opens a new socket for libcurl; -1 with errno on failure.
  [[nodiscard]] int open(const curl_sockaddr& address);
  /// The CURLOPT_CLOSESOCKETFUNCTION, with this object as its data.
  static int on_close(void* self, curl_socket_t fd);

  /// One of the `opened` sockets is the connection between these ends.
  void name(const std::vector<int>& opened, const Ends& ends);
  /// Whether the connection between these ends has nothing to read and has not ended. False if that is unknown.
  [[nodiscard]] bool is_silent(const Ends& ends) const;

  /// libcurl wants these epoll events; they carry the tag.
  void watch(int fd, std::uint32_t events, std::uint64_t tag);
  /// libcurl no longer watches the socket: the call ended, or the socket is about to be closed. A socket that never
  /// connected may be closed already, and is forgotten here.
  void rest(int fd);
  /// Handles an event of a socket that no call uses: closes it if it has something to read, so that libcurl
  /// reconnects. False: a call uses the socket.
  [[nodiscard]] bool end_idle(int fd);

 private:
  struct Socket {
    bool is_watched = false;  ///< it is in the epoll
    bool is_idle = false;
    std::uint32_t events = 0;
    std::uint64_t tag = 0;
    std::string ends;  ///< set once it is connected
  };

  void set(int fd, Socket& socket, std::uint32_t events);

  int epoll_;
  std::unordered_map<int, Socket> open_;
  std::unordered_map<std::string, int> by_ends_;
};

}  // namespace parley::outbound
