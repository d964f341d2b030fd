#include "model/crash_message.hpp"

#include <poll.h>
#include <unistd.h>

namespace parley {

void say_last_words(std::string_view text) noexcept {
  constexpr int moment_ms = 100;
  pollfd room{STDERR_FILENO, POLLOUT, 0};
  if (::poll(&room, 1, moment_ms) != 1) return;
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
}

}  // namespace parley
