/// The transport without a product: GET answers the same N bytes, POST answers 201 with a few. The rate that it reaches
/// is the upper bound for the service. Usage: parley_bare_server PORT THREADS BYTES; ends on SIGINT or SIGTERM.

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <csignal>
#include <string>
#include <string_view>

#include "http/transport/server.hpp"

namespace {

using parley::http::Request;
using parley::http::Responder;
using parley::http::Response;

/// Parses the leading digits; returns 0 if they are missing or the number does not fit.
unsigned number_of(std::string_view text) {
  unsigned number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

Response answer_to(const Request& request, const std::string& body) {
  if (request.method != "POST") return {200, {{"Content-Type", "text/plain"}}, body};
  return {
      201, {{"Content-Type", "application/json"}}, fmt::format(R"({{"received":{}}})", request.body.size())};
}

/// Blocks the signals in all threads that start later, so that only the wait below receives them.
sigset_t blocked_signals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  return signals;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    fmt::print(stderr, "usage: {} PORT THREADS BYTES\n", argv[0]);
    return 2;
  }
  const auto signals = blocked_signals();
  const std::string body(number_of(argv[3]), 'x');
  parley::http::ServerOptions options;
  options.port = static_cast<std::uint16_t>(number_of(argv[1]));
  options.threads = number_of(argv[2]);
  parley::http::Server server(
      options,
      [&body](const Request& request, const Responder& responder) {
        responder.send(answer_to(request, body));
      },
      [](const parley::http::FramingFault& fault) {
        return Response{fault.status(), {}, fault.detail + "\n"};
      });
  auto started = server.listen();
  if (started.ok()) started = server.start();
  if (!started.ok()) {
    fmt::print(stderr, "{}\n", started.problem().detail);
    return 1;
  }
  fmt::print("listening on {}\n", server.port());
  int signal = 0;
  sigwait(&signals, &signal);
  server.drain(std::chrono::seconds(8));
  return 0;
}
