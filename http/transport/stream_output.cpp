#include "http/transport/stream_output.hpp"

#include <sys/socket.h>

#include <cerrno>
#include <utility>

#include "http/protocol/transport_limits.hpp"

namespace parley::http {

bool StreamOutput::add(std::shared_ptr<const std::string> piece) {
  const std::size_t unsent = bytes_ - sent_;
  if (unsent + piece->size() > bounds::stream_bytes_max) return false;
  bytes_ += piece->size();
  pieces_.push_back(std::move(piece));
  return true;
}

Output::Sent StreamOutput::send(int fd) {
  bool has_sent = false;
  while (!pieces_.empty()) {
    const std::string& piece = *pieces_.front();
    const auto taken = ::send(fd, piece.data() + sent_, piece.size() - sent_, MSG_NOSIGNAL);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0 && errno == EAGAIN) return has_sent ? Output::Sent::some : Output::Sent::none;
    if (taken < 0) return Output::Sent::broken;
    has_sent = true;
    sent_ += static_cast<std::size_t>(taken);
    if (sent_ < piece.size()) continue;
    bytes_ -= piece.size();
    sent_ = 0;
    pieces_.pop_front();
  }
  return Output::Sent::all;
}

}  // namespace parley::http
