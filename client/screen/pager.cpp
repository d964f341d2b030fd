#include "client/screen/pager.hpp"

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>

namespace parley::client {
namespace {

constexpr int no_command = 127;  ///< exit code of a shell that finds no such command

/// Runs the pager with the text as its input. Returns false if the shell does not find it.
bool has_paged(const std::string& pager, std::string_view text) {
  const int input = ::memfd_create("parley", 0);
  if (input < 0) return false;
  bool is_shown = write_text(input, text);
  if (is_shown) {
    const std::string redirected = "{ " + pager + "\n} </dev/fd/" + std::to_string(input);
    // Not popen(): Ctrl-C must end what the pager does, and not this program before the pager.
    const int status = std::system(("export LESS=\"${LESS-FRX}\"; " + redirected).c_str());
    is_shown = status != -1 && !(WIFEXITED(status) && WEXITSTATUS(status) == no_command);
  }
  ::close(input);
  return is_shown;
}

}  // namespace

void write_paged(const Terminal& terminal, const std::string& pager, std::string_view text) {
  const bool has_reader = terminal.is_terminal && !terminal.is_ci && !terminal.is_coding_agent;
  if (has_reader && !pager.empty() && has_paged(pager, text)) return;
  write_text(terminal.descriptor, text);
}

}  // namespace parley::client
