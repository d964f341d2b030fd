#include "bench/load/connection.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <utility>

namespace parley::load {

Connection::~Connection() {
  close();
}

Connection::Connection(Connection&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      output_(std::move(other.output_)),
      sent_(other.sent_),
      input_(std::move(other.input_)),
      answered_(other.answered_),
      head_bytes_(other.head_bytes_),
      body_bytes_(other.body_bytes_) {}

bool Connection::open(const std::string& host, std::uint16_t port) {
  close();
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(port);
  if (inet_pton(AF_INET, host.c_str(), &address.sin_addr) != 1) return false;
  descriptor_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (descriptor_ < 0) return false;
  const int on = 1;
  setsockopt(descriptor_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (::connect(descriptor_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
    close();
    return false;
  }
  return fcntl(descriptor_, F_SETFL, O_NONBLOCK) == 0;
}

void Connection::close() {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  input_.clear();
  sent_ = answered_ = head_bytes_ = body_bytes_ = 0;
}

bool Connection::send() {
  while (sent_ < output_.size()) {
    const ssize_t count = ::send(descriptor_, output_.data() + sent_, output_.size() - sent_, MSG_NOSIGNAL);
    if (count < 0) return errno == EAGAIN || errno == EINTR;
    sent_ += static_cast<std::size_t>(count);
  }
  return true;
}

Connection::Reading Connection::read(Answer& answer) {
  thread_local std::array<char, 64 * 1024>
      buffer;  // not cleared, which would cost more than everything else here
  if (answered_ > 0) {
    input_.erase(0, answered_);
    answered_ = 0;
  }
  while (true) {
    const Reading reading = take(answer);
    if (reading != Reading::incomplete) return reading;
    const ssize_t count = ::recv(descriptor_, buffer.data(), buffer.size(), 0);
    if (count > 0) input_.append(buffer.data(), static_cast<std::size_t>(count));
    if (count == 0) return Reading::lost;
    if (count < 0) return errno == EAGAIN || errno == EINTR ? Reading::incomplete : Reading::lost;
  }
}

Connection::Reading Connection::take(Answer& answer) {
  if (head_bytes_ == 0) {
    const auto end = input_.find("\r\n\r\n");
    if (end == std::string::npos) return Reading::incomplete;
    head_bytes_ = end + 4;
    const std::string_view length = field(std::string_view(input_).substr(0, end + 2), "content-length");
    body_bytes_ = 0;
    std::from_chars(length.data(), length.data() + length.size(), body_bytes_);
  }
  if (input_.size() < head_bytes_ + body_bytes_) return Reading::incomplete;
  const std::string_view whole(input_);
  answer.head = whole.substr(0, head_bytes_);
  answer.body = whole.substr(head_bytes_, body_bytes_);
  answer.status = 0;
  if (answer.head.size() > 12)
    std::from_chars(answer.head.data() + 9, answer.head.data() + 12, answer.status);
  answer.closes = field(answer.head, "connection") == "close";
  answered_ = head_bytes_ + body_bytes_;
  head_bytes_ = body_bytes_ = 0;
  output_.clear();
  sent_ = 0;
  return Reading::complete;
}

std::string_view field(std::string_view head, std::string_view name) {
  std::size_t line = head.find("\r\n");
  while (line != std::string_view::npos && line + 2 < head.size()) {
    const std::size_t begin = line + 2;
    line = head.find("\r\n", begin);
    const std::string_view text = head.substr(begin, line - begin);
    if (text.size() <= name.size() || text[name.size()] != ':') continue;
    bool is_same = true;
    for (std::size_t i = 0; i < name.size() && is_same; ++i) {
      const char c = text[i];
      is_same = (c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c) == name[i];
    }
    if (!is_same) continue;
    const std::size_t value = text.find_first_not_of(" \t", name.size() + 1);
    return value == std::string_view::npos ? std::string_view{} : text.substr(value);
  }
  return {};
}

}  // namespace parley::load
