#pragma once
/// A server on a loopback port that runs a script for every connection on a separate thread. The script decides whether
/// it is well-behaved or hostile. For tests only.

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace parley::outbound::support {

/// One connection, as seen by its script. All calls fail softly once the client, or the server, is gone.
class Peer {
 public:
  explicit Peer(int fd) : fd_(fd) {}

  /// The next request, head and body; empty when there is no further request.
  std::string request() {
    while (true) {
      const auto head_end = bytes_.find("\r\n\r\n");
      if (head_end != std::string::npos) {
        const auto length = head_end + 4 + body_length();
        if (bytes_.size() >= length) {
          auto text = bytes_.substr(0, length);
          bytes_.erase(0, length);
          return text;
        }
      }
      std::array<char, 4096> buffer{};
      const auto got = ::recv(fd_, buffer.data(), buffer.size(), 0);
      if (got <= 0) return {};
      bytes_.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }
  bool send(std::string_view text) {
    while (!text.empty()) {
      const auto sent = ::send(fd_, text.data(), text.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      text.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }
  bool answer(std::string_view body, std::string_view status = "200 OK", std::string_view fields = "") {
    return send("HTTP/1.1 " + std::string(status) + "\r\n" + std::string(fields) +
                "Content-Length: " + std::to_string(body.size()) + "\r\n\r\n" + std::string(body));
  }
  void wait_until_closed() {
    std::array<char, 4096> buffer{};
    while (::recv(fd_, buffer.data(), buffer.size(), 0) > 0) {
    }
  }
  /// Closes the connection with RST instead of FIN.
  void reset() {
    const linger hard{1, 0};
    ::setsockopt(fd_, SOL_SOCKET, SO_LINGER, &hard, sizeof hard);
  }

  [[nodiscard]] int descriptor() const { return fd_; }

 private:
  [[nodiscard]] std::size_t body_length() const {
    const auto at = bytes_.find("Content-Length: ");
    return at == std::string::npos ? 0 : std::stoul(bytes_.substr(at + 16));
  }

  int fd_;
  std::string bytes_;
};

/// Makes the socket listen on a free port of 127.0.0.1, or of another address; returns the port.
inline std::uint16_t listen_on_loopback(int socket, int backlog = 4096, in_addr_t on = INADDR_LOOPBACK) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(on);
  socklen_t size = sizeof address;
  auto* place = reinterpret_cast<sockaddr*>(&address);
  if (::bind(socket, place, size) != 0 || ::listen(socket, backlog) != 0) std::abort();
  ::getsockname(socket, place, &size);
  return ntohs(address.sin_port);
}

class Server {
 public:
  using Script = std::function<void(Peer&)>;

  explicit Server(Script script) : script_(std::move(script)), listener_(::socket(AF_INET, SOCK_STREAM, 0)) {
    port_ = listen_on_loopback(listener_);
    acceptor_ = std::thread([this] { accept_all(); });
  }
  ~Server() {
    ::shutdown(listener_, SHUT_RDWR);
    acceptor_.join();
    {
      const std::lock_guard lock(mutex_);
      for (const int fd : open_) ::shutdown(fd, SHUT_RDWR);
    }
    for (auto& thread : threads_) thread.join();
    ::close(listener_);
  }
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }
  [[nodiscard]] std::string url(std::string_view target = "/") const {
    return "http://127.0.0.1:" + std::to_string(port_) + std::string(target);
  }
  [[nodiscard]] int connections() const { return connections_; }

 private:
  void accept_all() {
    while (true) {
      const int fd = ::accept(listener_, nullptr, nullptr);
      if (fd < 0) return;
      ++connections_;
      const std::lock_guard lock(mutex_);
      open_.push_back(fd);
      threads_.emplace_back([this, fd] {
        Peer peer(fd);
        script_(peer);
        const std::lock_guard end(mutex_);
        std::erase(open_, fd);
        ::close(fd);
      });
    }
  }

  Script script_;
  int listener_;
  std::uint16_t port_ = 0;
  std::atomic<int> connections_ = 0;
  std::mutex mutex_;
  std::vector<int> open_;
  std::vector<std::thread> threads_;
  std::thread acceptor_;
};

/// A port of every loopback address whose listener accepts no connection: every client waits in vain.
class DeafPort {
 public:
  DeafPort()
      : listener_(::socket(AF_INET, SOCK_STREAM, 0)), port_(listen_on_loopback(listener_, 0, INADDR_ANY)) {
    // These connections fill the backlog; beyond it, the system answers no client.
    for (int& waiting : waiting_) {
      waiting = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
      sockaddr_in address{};
      address.sin_family = AF_INET;
      address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      address.sin_port = htons(port_);
      [[maybe_unused]] const int begun =
          ::connect(waiting, reinterpret_cast<sockaddr*>(&address), sizeof address);
    }
  }
  ~DeafPort() {
    for (const int waiting : waiting_) ::close(waiting);
    ::close(listener_);
  }
  DeafPort(const DeafPort&) = delete;
  DeafPort& operator=(const DeafPort&) = delete;

  [[nodiscard]] std::uint16_t port() const { return port_; }

 private:
  int listener_;
  std::uint16_t port_;
  std::array<int, 4> waiting_{};
};

/// Answers every request with the text, for as long as the client sends requests.
inline Server::Script always(std::string text) {
  return [text = std::move(text)](Peer& peer) {
    while (!peer.request().empty())
      if (!peer.answer(text)) return;
  };
}

/// Never answers. `requests` counts the requests; it must outlive the server.
inline Server::Script hangs_and_counts(std::atomic<int>& requests) {
  return [&requests](Peer& peer) {
    if (!peer.request().empty()) ++requests;
    peer.wait_until_closed();
  };
}

/// Answers one request with these bytes and closes.
inline Server::Script bytes_once(std::string bytes) {
  return [bytes = std::move(bytes)](Peer& peer) {
    peer.request();
    peer.send(bytes);
  };
}

/// A port without a listener.
inline std::uint16_t closed_port() {
  const Server server([](Peer&) {});
  return server.port();
}

}  // namespace parley::outbound::support
