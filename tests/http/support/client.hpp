#pragma once
/// A blocking client that sends raw bytes, for tests of the server. Every wait ends after five seconds.

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <thread>

#include "http/transport/descriptor.hpp"

namespace parley::http::support {

/// Waits for an event on another thread.
inline bool eventually(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(5);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return true;
}

struct Received {
  int status = 0;
  std::string head;
  std::string body;

  [[nodiscard]] bool has(std::string_view line) const { return head.find(line) != std::string::npos; }
};

class Client {
 public:
  Client() : socket_(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)) {
    const timeval patience{5, 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    setsockopt(socket_.get(), SOL_SOCKET, SO_SNDTIMEO, &patience, sizeof patience);
  }
  explicit Client(std::uint16_t port) : Client() { EXPECT_TRUE(connect(port)); }

  bool connect(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return ::connect(socket_.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
  }

  /// Returns false when the server no longer accepts the bytes.
  bool send(std::string_view bytes) {
    while (!bytes.empty()) {
      const auto sent = ::send(socket_.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
  }

  /// The next answer; status 0 if none arrives. `with_body`: false for an answer to HEAD.
  Received receive(bool with_body = true) {
    Received received;
    std::size_t end = 0;
    while ((end = buffer_.find("\r\n\r\n")) == std::string::npos) {
      if (!more()) return received;
    }
    received.head = buffer_.substr(0, end + 2);
    received.status = std::stoi(received.head.substr(9, 3));
    buffer_.erase(0, end + 4);
    const auto length = received.head.find("Content-Length: ");
    if (!with_body || length == std::string::npos) return received;
    const auto size = std::stoul(received.head.substr(length + 16));
    while (buffer_.size() < size) {
      if (!more()) return {};
    }
    received.body = buffer_.substr(0, size);
    buffer_.erase(0, size);
    return received;
  }

  Received exchange(std::string_view request) {
    send(request);
    return receive();
  }

  /// Whether the server closes the connection in an orderly way, without sending more. Neither a reset nor silence
  /// counts.
  bool is_closed() {
    if (!buffer_.empty()) return false;
    char byte = 0;
    return ::recv(socket_.get(), &byte, 1, 0) == 0;
  }

  void shut_writing() const { ::shutdown(socket_.get(), SHUT_WR); }
  void leave() { socket_.reset(); }
  /// Closes with a reset.
  void reset() {
    const linger now{1, 0};
    setsockopt(socket_.get(), SOL_SOCKET, SO_LINGER, &now, sizeof now);
    leave();
  }
  [[nodiscard]] int descriptor() const { return socket_.get(); }

 private:
  bool more() {
    char bytes[16 * 1024];
    const auto got = ::recv(socket_.get(), bytes, sizeof bytes, 0);
    if (got <= 0) return false;
    buffer_.append(bytes, static_cast<std::size_t>(got));
    return true;
  }

  Descriptor socket_;
  std::string buffer_;
};

}  // namespace parley::http::support
