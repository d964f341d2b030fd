#include <algorithm>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/suite_loading.hpp"
#include "client/playing/suite_run.hpp"
#include "client/remote/stop_request.hpp"
#include "client/screen/terminal.hpp"

namespace parley::client {
namespace {

/// Red takes precedence over undecided, and both over done; wrong usage over everything.
int worse(int a, int b) {
  for (const int each : {exit_wrong_use, exit_no_server, exit_damaged_data, exit_red, exit_undecided})
    if (a == each || b == each) return each;
  return std::max(a, b);
}

int list_all(const Invocation& call, const RunOptions& options, const std::vector<CompiledSuite>& suites) {
  for (const CompiledSuite& suite : suites) {
    const auto cells = chosen_cells(suite, options.selection);
    if (!cells) return wrong_use(call, cells.problem().detail);
    if (cells->empty() && !call.has("allow-empty")) return nothing_selected(call);
    static_cast<void>(list_cells(call, suite, *cells, call.has("dry-run")));
  }
  return exit_done;
}

}  // namespace

int play_suites(const Invocation& call, std::vector<CompiledSuite> suites) {
  auto options = run_options_of(call);
  if (!options) return wrong_use(call, options.problem().detail);
  take_stop_requests();
  if (options->lists && !options->earlier && options->changed_since.empty())
    return list_all(call, *options, suites);
  SessionOptions session_options;
  session_options.embedded = embedded_options(suites, !call.has("fresh"));
  session_options.is_ephemeral = is_ephemeral(call);
  auto open = open_session(call, ServerPreference::local, session_options);
  if (!open) return failed(call, open.problem());
  int code = exit_done;
  SuiteRun run(call, std::move(*options));
  for (const CompiledSuite& suite : suites) {
    code = worse(code, run.run(*open, suite));
    if (stop_exit_code() != 0) return stop_exit_code();
  }
  return code;
}

int run_verb(const Invocation& call) {
  LoadedSuites loaded = loaded_suites(call, call.arguments());
  if (show_faults(loaded, " Nothing was played.")) return exit_wrong_use;
  if (loaded.suites.empty()) return wrong_use(call, "there is no suite: run `parley init`, or name a file");
  return play_suites(call, std::move(loaded.suites));
}

}  // namespace parley::client
