#include "outbound/client/sockets.hpp"

#include <arpa/inet.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>

namespace parley::outbound {
namespace {

int local_port_of(int fd) {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size) != 0) return -1;
  if (address.ss_family == AF_INET6) return ntohs(reinterpret_cast<const sockaddr_in6&>(address).sin6_port);
  return ntohs(reinterpret_cast<const sockaddr_in&>(address).sin_port);
}

// Whether there is something to read, including the end of the stream.
bool is_readable(int fd) {
  char byte = 0;
  const auto got = ::recv(fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT);
  return got >= 0 || (errno != EAGAIN && errno != EINTR);
}

}  // namespace

std::string Ends::text() const {
  return local + ' ' + std::to_string(local_port) + ' ' + peer + ' ' + std::to_string(peer_port);
}

int Sockets::open(const curl_sockaddr& address) {
  const int fd = ::socket(address.family, address.socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address.protocol);
  if (fd >= 0) open_[fd] = {};
  return fd;
}

int Sockets::on_close(void* self, curl_socket_t fd) {
  auto& sockets = *static_cast<Sockets*>(self);
  const auto found = sockets.open_.find(fd);
  if (found != sockets.open_.end()) {
    sockets.by_ends_.erase(found->second.ends);
    sockets.open_.erase(found);
  }
  return ::close(fd);  // also removes it from the epoll
}

void Sockets::name(const std::vector<int>& opened, const Ends& ends) {
  for (const int fd : opened) {
    const auto found = open_.find(fd);
    if (found == open_.end() || !found->second.ends.empty() || local_port_of(fd) != ends.local_port) continue;
    found->second.ends = ends.text();
    by_ends_[found->second.ends] = fd;
    return;
  }
}

bool Sockets::is_silent(const Ends& ends) const {
  const auto found = by_ends_.find(ends.text());
  return found != by_ends_.end() && !is_readable(found->second);
}

void Sockets::watch(int fd, std::uint32_t events, std::uint64_t tag) {
  Socket& socket = open_[fd];
  socket.is_idle = false;
  if (socket.is_watched && socket.events == events && socket.tag == tag) return;
  socket.tag = tag;
  set(fd, socket, events);
}

void Sockets::rest(int fd) {
  const auto found = open_.find(fd);
  if (found == open_.end()) return;
  Socket& socket = found->second;
  // If a call is canceled while it connects, libcurl closes the socket before it reports this, and without on_close().
  // The number may belong to another thread by now.
  if (socket.ends.empty()) {
    open_.erase(found);
    return;
  }
  socket.is_idle = true;
  if (socket.is_watched && socket.events != EPOLLIN) set(fd, socket, EPOLLIN);
}

bool Sockets::end_idle(int fd) {
  const auto found = open_.find(fd);
  if (found == open_.end() || !found->second.is_idle) return false;
  if (!is_readable(fd)) return true;  // the event belonged to an older socket with this number
  ::shutdown(fd, SHUT_RDWR);
  ::epoll_ctl(epoll_, EPOLL_CTL_DEL, fd, nullptr);
  found->second.is_watched = false;
  return true;
}

void Sockets::set(int fd, Socket& socket, std::uint32_t events) {
  epoll_event event{};
  event.events = events;
  event.data.u64 = socket.tag;
  // If libcurl saw a failure here, it would abort every transfer of the shard. Instead, only this transfer times out.
  const int done = ::epoll_ctl(epoll_, socket.is_watched ? EPOLL_CTL_MOD : EPOLL_CTL_ADD, fd, &event);
  socket.events = events;
  socket.is_watched = socket.is_watched || done == 0;
}

}  // namespace parley::outbound
