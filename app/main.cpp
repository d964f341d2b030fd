// parley: the conversation testing server.

#include <fcntl.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <string>
#include <vector>

#include "app/embedded_server.hpp"
#include "app/log/logging.hpp"
#include "app/options/command_line.hpp"
#include "app/options/exit_codes.hpp"
#include "app/process/fatal_errors.hpp"
#include "app/serve.hpp"
#include "app/tools/tools.hpp"
#include "client/gate/exit_code.hpp"
#include "client/verbs/verb.hpp"
#include "outbound/agents/agent_config.hpp"

using namespace parley::app;

namespace {

/// Opens /dev/null for each of the descriptors 0, 1 and 2 that is closed, as some supervisors and `2>&-` leave them.
/// Otherwise the next opened file would get that number, and messages for standard error would be written into the
/// store (I1, F46). Returns false if that failed; the process must not continue then.
bool fill_standard_descriptors() {
  for (const int wanted : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (::fcntl(wanted, F_GETFD) >= 0) continue;
    // open() returns the lowest free number, and all lower ones are open by now.
    if (::open("/dev/null", O_RDWR) != wanted) return false;
  }
  return true;
}

/// Runs the verbs of the client; everything else is a command of the server.
int run_client(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  return parley::client::run_verb(
      words, {environ, start_embedded, parley::outbound::check_agent_config, PARLEY_VERSION});
}

}  // namespace

int main(int argc, char** argv) {
  // Prints no message, because standard error may be closed.
  if (!fill_standard_descriptors()) return exit_failed;
  report_bus_errors();
  /// A write beyond the file size limit then fails like a write to a full disk (F10).
  std::signal(SIGXFSZ, SIG_IGN);
  if (argc > 1 && parley::client::find_verb(argv[1]) != nullptr)
    // The exit code 1 would say that an answer is wrong.
    return reporting_errors([&] { return run_client(argc, argv); }, parley::client::exit_undecided);
  const Command command = read_command_line(argc, argv, environ);
  if (command.tool) return reporting_errors([&] { return use(*command.tool); });
  if (command.check_models) return reporting_errors([&] { return check_models(*command.check_models); });
  if (!command.serve) {
    std::fputs(command.text.c_str(), command.exit_code == 0 ? stdout : stderr);
    return command.exit_code;
  }
  if (const auto started = start_log(*command.serve); !started) {
    std::fprintf(stderr, "parley: %s\n", started.problem().detail.c_str());
    return exit_misused;
  }
  const int ended = reporting_errors([&] { return serve(*command.serve); });
  flush_log(std::chrono::seconds(1));
  return ended;
}
