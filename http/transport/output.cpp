#include "http/transport/output.hpp"

#include <sys/socket.h>
#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include "http/protocol/transport_limits.hpp"

namespace parley::http {

void Output::set(std::string head, std::string body) {
  head_ = std::move(head);
  body_ = std::move(body);
  sent_ = 0;
  if (body_.size() <= bounds::joined_body_bytes_max) {
    head_ += body_;
    body_.clear();
  }
}

Output::Sent Output::send(int fd) {
  const auto before = sent_;
  while (left() > 0) {
    const auto head_sent = std::min(sent_, head_.size());
    const auto body_sent = sent_ - head_sent;
    std::array<iovec, 2> pieces{iovec{head_.data() + head_sent, head_.size() - head_sent},
                                iovec{body_.data() + body_sent, body_.size() - body_sent}};
    msghdr message{};
    message.msg_iov = pieces.data();
    message.msg_iovlen = body_.empty() ? 1 : 2;
    const auto taken = ::sendmsg(fd, &message, MSG_NOSIGNAL);
    if (taken < 0 && errno == EINTR) continue;
    if (taken < 0 && errno == EAGAIN) return sent_ > before ? Sent::some : Sent::none;
    if (taken < 0) return Sent::broken;
    sent_ += static_cast<std::size_t>(taken);
  }
  head_ = {};
  body_ = {};
  sent_ = 0;
  return Sent::all;
}

}  // namespace parley::http
