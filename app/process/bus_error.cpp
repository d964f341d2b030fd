#include "app/process/bus_error.hpp"

#include <unistd.h>

#include <csignal>
#include <string_view>

#include "app/log/logging.hpp"
#include "app/options/exit_codes.hpp"
#include "model/crash_message.hpp"
#include "store/engine/lmdb_assert.hpp"

namespace parley::app {
namespace {

constexpr std::string_view damage_told =
    "parley: the data file is shorter than it says, or the disk cannot read it; restore it from a backup "
    "(parley restore)\n";

constexpr std::string_view nonsense_told =
    "parley: the data file is damaged: it has an impossible page; restore it from a backup (parley "
    "restore)\n";

/// Only async-signal-safe calls.
[[noreturn]] void end(std::string_view told) {
  flush_log();
  say_last_words(told);
  ::_exit(exit_damaged);
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void tell_of_bus_errors() {
  set_handler(SIGBUS, [](int) { end(damage_told); });
  store::set_last_words([](std::string_view) { end(nonsense_told); });
}

void tell_of_stray_reads() {
  set_handler(SIGSEGV, [](int) { end(nonsense_told); });
}

}  // namespace parley::app
