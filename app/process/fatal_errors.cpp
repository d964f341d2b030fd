#include "app/process/fatal_errors.hpp"

#include <unistd.h>

#include <csignal>
#include <exception>
#include <string>
#include <string_view>

#include "app/log/logging.hpp"
#include "model/check.hpp"
#include "store/engine/lmdb.hpp"
#include "store/engine/lmdb_assert.hpp"

namespace parley::app {
namespace {

constexpr std::string_view damaged_file =
    "parley: the data file is truncated or cannot be read from disk; restore it from a backup "
    "(parley restore)\n";

constexpr std::string_view impossible_page =
    "parley: the data file is damaged: it has an impossible page; restore it from a backup (parley "
    "restore)\n";

/// Uses only async-signal-safe calls.
[[noreturn]] void end(std::string_view message) {
  flush_log();
  write_crash_message(message);
  ::_exit(exit_damaged);
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

void report_bus_errors() {
  set_handler(SIGBUS, [](int) { end(damaged_file); });
  store::set_assert_handler([](std::string_view) { end(impossible_page); });
}

void report_stray_reads() {
  set_handler(SIGSEGV, [](int) { end(impossible_page); });
}

int reporting_errors(const std::function<int()>& act, int other_failure) {
  try {
    return act();
  } catch (const store::LmdbError& error) {
    if (!error.is_damage()) {
      write_crash_message("parley: the data file cannot be used: " + std::string(error.what()) + "\n");
      return other_failure;
    }
    write_crash_message("parley: the data file is damaged: " + std::string(error.what()) +
                        "; restore it from a backup (parley restore)\n");
    return exit_damaged;
  } catch (const store::CorruptError& error) {
    write_crash_message("parley: " + store::problem_of(error.corrupt()).detail + "\n");
    return exit_damaged;
  } catch (const std::exception& error) {
    write_crash_message("parley: " + std::string(error.what()) + "\n");
    return other_failure;
  }
}

}  // namespace parley::app
