#include "http/transport/listen_host.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

namespace parley::http {
namespace {

using Found = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

/// Removes the brackets that an IPv6 address has in a URL.
std::string without_brackets(const std::string& host) {
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  return has_brackets ? host.substr(1, host.size() - 2) : host;
}

bool is_numeric(const std::string& host) {
  std::array<unsigned char, sizeof(in6_addr)> address{};
  return inet_pton(AF_INET, host.c_str(), address.data()) == 1 ||
         inet_pton(AF_INET6, host.c_str(), address.data()) == 1;
}

Found looked_up(const std::string& host, int family) {
  addrinfo wanted{};
  wanted.ai_family = family;
  wanted.ai_socktype = SOCK_STREAM;
  wanted.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  if (getaddrinfo(host.c_str(), nullptr, &wanted, &found) != 0) found = nullptr;
  return {found, &freeaddrinfo};
}

}  // namespace

Expected<std::string> numeric_host(const std::string& host) {
  if (is_numeric(without_brackets(host))) return host;
  Found found = looked_up(host, host == "localhost" ? AF_INET : AF_UNSPEC);
  if (!found) found = looked_up(host, AF_UNSPEC);
  std::array<char, NI_MAXHOST> text{};
  if (found && getnameinfo(found->ai_addr, found->ai_addrlen, text.data(), text.size(), nullptr, 0,
                           NI_NUMERICHOST) == 0) {
    return std::string(text.data());
  }
  return problem(
      ProblemKind::internal,
      "cannot listen on '" + host + "': it is neither an IPv4 or IPv6 address nor a name that has one");
}

Expected<HeldPort> free_port(const std::string& host) {
  const auto refused = [&] {
    return problem(ProblemKind::internal, "cannot listen on " + host + ":0: " + std::strerror(errno));
  };
  const Found found = looked_up(without_brackets(host), AF_UNSPEC);
  if (!found) return problem(ProblemKind::internal, "cannot listen on " + host + ":0: it is not an address");
  HeldPort port{Descriptor(::socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0))};
  if (!port.socket) return refused();
  constexpr int on = 1;  // so that the server, which also sets it, can bind the port
  setsockopt(port.socket.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (::bind(port.socket.get(), found->ai_addr, found->ai_addrlen) != 0) return refused();
  sockaddr_in6 bound{};  // sin_port and sin6_port have the same offset
  socklen_t size = sizeof bound;
  if (getsockname(port.socket.get(), reinterpret_cast<sockaddr*>(&bound), &size) != 0) return refused();
  port.number = ntohs(bound.sin6_port);
  return port;
}

}  // namespace parley::http
