#include "http/transport/acceptor.hpp"

#include <arpa/inet.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "http/protocol/transport_limits.hpp"

namespace parley::http {
namespace {

/// The most clients accepted from the backlog before the stop request is checked.
constexpr int accepts_per_round_max = 256;
/// How long clients are left in the backlog when the system is out of memory.
constexpr int backoff_ms = 20;

struct Address {
  sockaddr_storage storage{};
  socklen_t size = 0;
  [[nodiscard]] sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

/// Returns size 0 if the host is not an address.
Address address_of(std::string host, std::uint16_t port) {
  if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
  Address address;
  auto* v4 = reinterpret_cast<sockaddr_in*>(&address.storage);
  auto* v6 = reinterpret_cast<sockaddr_in6*>(&address.storage);
  if (inet_pton(AF_INET, host.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
    address.size = sizeof *v4;
  } else if (inet_pton(AF_INET6, host.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    address.size = sizeof *v6;
  }
  return address;
}

Problem refused(const ListenAddress& address, std::string_view reason) {
  return {ProblemKind::internal, "cannot listen on " + text_of(address) + ": " + std::string(reason), {}, 0};
}

std::string_view system_reason() {
  return std::strerror(errno);
}  // NOLINT(concurrency-mt-unsafe)

std::uint16_t bound_port(int fd) {
  Address address;
  address.size = sizeof address.storage;
  if (getsockname(fd, address.get(), &address.size) != 0) return 0;
  // sin_port and sin6_port have the same offset.
  return ntohs(reinterpret_cast<const sockaddr_in*>(&address.storage)->sin_port);
}

store::Address bytes_of_address(const Address& from) {
  store::Address bytes{};
  if (from.storage.ss_family == AF_INET6) {
    std::memcpy(bytes.data(), &reinterpret_cast<const sockaddr_in6*>(&from.storage)->sin6_addr, bytes.size());
  } else if (from.storage.ss_family == AF_INET) {
    bytes[10] = bytes[11] = 0xff;
    std::memcpy(bytes.data() + 12, &reinterpret_cast<const sockaddr_in*>(&from.storage)->sin_addr, 4);
  }
  return bytes;
}

Descriptor reserve() {
  return Descriptor(::open("/dev/null", O_RDONLY | O_CLOEXEC));
}

void set_option(int fd, int level, int option) {
  constexpr int on = 1;
  setsockopt(fd, level, option, &on, sizeof on);
}

}  // namespace

Acceptor::Acceptor(const ServerOptions& options, TransportCounters& counters, OpenConnections& open,
                   Deal deal)
    : options_(options), counters_(counters), open_(open), deal_(std::move(deal)) {}

Acceptor::~Acceptor() {
  stop();
}

Expected<Descriptor> Acceptor::listening_on(const ListenAddress& wanted) {
  auto address = address_of(wanted.host, wanted.port);
  if (address.size == 0) return refused(wanted, "the host must be an IPv4 or IPv6 address");
  Descriptor socket(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return refused(wanted, system_reason());
  set_option(socket.get(), SOL_SOCKET, SO_REUSEADDR);
  if (address.storage.ss_family == AF_INET6) set_option(socket.get(), IPPROTO_IPV6, IPV6_V6ONLY);
  if (::bind(socket.get(), address.get(), address.size) != 0 || ::listen(socket.get(), bounds::backlog) != 0)
    return refused(wanted, system_reason());
  return socket;
}

Expected<Done> Acceptor::listen() {
  const ListenAddress first{options_.host, options_.port};
  stop_ = Descriptor(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC));
  reserve_ = reserve();
  if (!stop_ || !reserve_) return refused(first, system_reason());
  TRY(socket, listening_on(first));
  port_ = bound_port(socket.get());
  listening_.push_back(std::move(socket));
  for (const ListenAddress& other : options_.others) {
    TRY(another, listening_on(other));
    listening_.push_back(std::move(another));
  }
  return Done{};
}

void Acceptor::start() {
  thread_ = std::thread([this] { run(); });
  pthread_setname_np(thread_.native_handle(), "http-accept");
}

void Acceptor::stop() {
  stopping_ = true;
  if (stop_) eventfd_write(stop_.get(), 1);
  if (thread_.joinable()) thread_.join();
  listening_.clear();
}

void Acceptor::run() {
  std::vector<pollfd> waiting{pollfd{stop_.get(), POLLIN, 0}};
  for (const Descriptor& socket : listening_) waiting.push_back(pollfd{socket.get(), POLLIN, 0});
  while (!stopping_) {
    if (::poll(waiting.data(), waiting.size(), -1) <= 0) continue;
    for (std::size_t i = 1; i < waiting.size(); ++i) {
      if (waiting[i].revents != 0) accept_waiting(waiting[i].fd);
    }
  }
}

void Acceptor::accept_waiting(int socket) {
  for (int i = 0; i < accepts_per_round_max && !stopping_; ++i) {
    if (!accept_one(socket)) return;
  }
}

/// Returns false if the backlog is empty or no client can be accepted.
bool Acceptor::accept_one(int listening) {
  Address peer;
  peer.size = sizeof peer.storage;
  Descriptor socket(::accept4(listening, peer.get(), &peer.size, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (socket) {
    admit(std::move(socket), bytes_of_address(peer));
    return true;
  }
  switch (errno) {
    case EAGAIN: return false;
    case EMFILE:
    case ENFILE: turn_one_away(listening); return true;
    case ENOBUFS:
    case ENOMEM: {
      pollfd stop{stop_.get(), POLLIN, 0};
      ::poll(&stop, 1, backoff_ms);
      return false;
    }
    // accept(2): the client or its network went away while it waited
    default: return true;
  }
}

void Acceptor::admit(Descriptor socket, const store::Address& peer) {
  set_option(socket.get(), IPPROTO_TCP, TCP_NODELAY);
  const bool refused = open_.count() >= options_.connections_max;
  count(refused ? counters_.connections_refused : counters_.connections_accepted);
  if (refused && turned_away_.count() >= bounds::refusals_max) return;
  try {
    deal_({OpenConnections::Seat(refused ? turned_away_ : open_), std::move(socket), refused, peer});
  } catch (const std::bad_alloc&) {
    count(counters_.worker_exceptions);
  }
}

void Acceptor::turn_one_away(int listening) {
  reserve_.reset();
  Descriptor client(::accept4(listening, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC));
  if (client) count(counters_.connections_refused);
  client.reset();  // closed before the reserve is reopened, which uses the same slot
  reserve_ = reserve();
  if (reserve_) return;
  // Another thread took the freed descriptor. Without a reserve this thread would spin, so it waits.
  pollfd stop{stop_.get(), POLLIN, 0};
  ::poll(&stop, 1, backoff_ms);
}

}  // namespace parley::http
