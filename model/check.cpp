#include "model/check.hpp"

#include <poll.h>
#include <unistd.h>

#include <cstdlib>
#include <string>

namespace parley {

void check_failed(const char* condition, std::source_location where) {
  write_crash_message("parley: broken invariant: " + std::string(condition) + " at " + where.file_name() +
                      ":" + std::to_string(where.line()) + " in " + where.function_name() + "\n");
  std::abort();
}

void write_crash_message(std::string_view text) noexcept {
  constexpr int moment_ms = 100;
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, moment_ms) != 1) return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace parley
