#include "http/listen_host.hpp"

#include <arpa/inet.h>
#include <netdb.h>
#include <sys/socket.h>

#include <array>
#include <memory>

namespace parley::http {
namespace {

using Found = std::unique_ptr<addrinfo, decltype(&freeaddrinfo)>;

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

Result<std::string> numeric_host(const std::string& host) {
  const bool has_brackets = host.size() > 2 && host.front() == '[' && host.back() == ']';
  if (is_numeric(has_brackets ? host.substr(1, host.size() - 2) : host)) return host;
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

}  // namespace parley::http
