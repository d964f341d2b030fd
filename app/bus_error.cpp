#include "app/bus_error.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "app/exit_codes.hpp"
#include "app/logging.hpp"
#include "model/last_words.hpp"

namespace parley::app {
namespace {

constexpr std::string_view damage_told =
    "parley: the data file is shorter than it says, or the disk cannot read it; restore it from a backup "
    "(parley restore)\n";

/// Only what is allowed in a signal's handler.
void on_bus_error(int) {
  flush_log();
  say_last_words(damage_told);
  ::_exit(exit_damaged);
}

}  // namespace

void tell_of_bus_errors() {
  struct sigaction action = {};
  action.sa_handler = on_bus_error;
  ::sigaction(SIGBUS, &action, nullptr);
}

}  // namespace parley::app
