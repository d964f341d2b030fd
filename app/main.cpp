// parley: the conversation testing server.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>

#include "app/log/logging.hpp"
#include "app/options/command_line.hpp"
#include "app/options/exit_codes.hpp"
#include "app/process/fatal_errors.hpp"
#include "app/process/standard_descriptors.hpp"
#include "app/serve.hpp"
#include "app/tools/tools.hpp"

int main(int argc, char** argv) {
  // No message: standard error may be closed.
  if (!parley::app::fill_standard_descriptors()) return parley::app::exit_failed;
  parley::app::report_bus_errors();
  /// a write beyond the file size limit then fails like one on a full disk (F10)
  std::signal(SIGXFSZ, SIG_IGN);
  const parley::app::Command command = parley::app::read_command_line(argc, argv, environ);
  if (command.tool) return parley::app::reporting_errors([&] { return parley::app::use(*command.tool); });
  if (command.check_models)
    return parley::app::reporting_errors([&] { return parley::app::check_models(*command.check_models); });
  if (!command.serve) {
    std::fputs(command.text.c_str(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  parley::app::start_log(*command.serve);
  const int ended = parley::app::reporting_errors([&] { return parley::app::serve(*command.serve); });
  parley::app::flush_log(std::chrono::seconds(1));
  return ended;
}
