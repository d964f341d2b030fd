#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <thread>

#include "client/commands/families.hpp"
#include "client/commands/viewing.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/remote/stop_request.hpp"
#include "client/run/stored_runs.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/named_exec.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

constexpr std::chrono::milliseconds view_pause{100};
constexpr std::size_t pauses_per_heartbeat = 10;

/// Opens a browser and discards its output. Returns false if the machine has no browser.
bool open_browser(const Invocation& call, const std::string& target) {
  const std::string browser = call.variable("BROWSER").value_or("");
  const bool has_display =
      call.variable("DISPLAY").value_or("") != "" || call.variable("WAYLAND_DISPLAY").value_or("") != "";
  if (call.has("no-input") || (browser.empty() && !has_display)) return false;
  std::string program = browser.empty() ? "xdg-open" : browser.substr(0, browser.find(':'));
  std::string argument = target;
  const std::array<char*, 3> words{program.data(), argument.data(), nullptr};
  posix_spawn_file_actions_t actions;
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  ::posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid = -1;
  const int error = ::posix_spawnp(&pid, program.c_str(), &actions, nullptr, words.data(), environ);
  ::posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return false;
  int status = 0;
  // A browser that keeps running counts as opened, and so does one that passes the address to a running browser.
  for (int i = 0; i < 20; ++i) {
    if (::waitpid(pid, &status, WNOHANG) == pid) return WIFEXITED(status) && WEXITSTATUS(status) == 0;
    std::this_thread::sleep_for(view_pause);
  }
  return true;
}

/// Returns the address of the run's page; empty if the server does not serve pages.
Expected<std::string> page_address(Api& api, const std::string& run) {
  const auto page = api.http().call({"GET", "/ui/", "", {}, 10'000});
  if (!page) return page.problem();
  if (page->status != 200) return std::string();
  return sign_in_address(api, "/runs/" + run);
}

/// Runs the exec agents of the suite for runs that are started from the page, until Ctrl-C.
void serve_commands(const Invocation& call, Api& api) {
  std::vector<OfferedWork> work;
  if (auto agents = exec_agents_of(call))
    for (NamedExec& each : *agents) work.emplace_back(std::move(each));
  for (std::size_t pauses = 0; !stop_requested(); ++pauses) {
    if (pauses % pauses_per_heartbeat == 0)
      for (OfferedWork& each : work) static_cast<void>(each.beat(api));  // the next heartbeat tries again
    std::this_thread::sleep_for(view_pause);
  }
}

/// Writes the run as one HTML file in `.parley/`.
int view_file(const Invocation& call, OpenSession& open, const std::string& run) {
  const auto html = html_of_runs(*open.api, {run});
  if (!html) return failed(call, html.problem());
  if (const auto made = open.session.folder().create(); !made) return failed(call, made.problem());
  const auto file = open.session.folder().root() / ("report-" + run + ".html");
  if (const auto written = write_private(file, *html); !written) return failed(call, written.problem());
  write_text(1, file.string() + "\n");
  static_cast<void>(open_browser(call, file.string()));
  return exit_done;
}

}  // namespace

Expected<std::string> sign_in_address(Api& api, const std::string& path) {
  TRY(code, api.call("POST", "/session/codes"));
  return api.server().url + "/ui/signin?back=" + uri_escaped(path) +
         "#code=" + uri_escaped(text_at(code.root(), "code"));
}

int view_run(const Invocation& call, OpenSession& open, const std::string& run) {
  const auto address = page_address(*open.api, run);
  if (!address) return failed(call, address.problem());
  if (address->empty()) return view_file(call, open, run);
  const bool is_open = open_browser(call, *address);
  write_text(1, (is_open ? "opened " : "") + *address + "\n");
  if (!open.session.is_local()) return exit_done;
  // The page needs the server. This process runs the server, or keeps another command's server running.
  take_stop_requests();
  write_text(2, "serving until Ctrl-C\n");
  serve_commands(call, *open.api);
  return exit_done;
}

int view_verb(const Invocation& call) {
  SessionOptions options;
  options.needs_data = true;
  // The page can also play and judge. If the suite has errors, the page opens without models.
  const auto suites = suites_of_project(call);
  if (suites)
    if (auto models = embedded_options(*suites, true)) options.embedded = std::move(models).value();
  auto open = open_session(call, ServerPreference::local, options);
  if (!open) return failed(call, open.problem());
  const auto run = run_id_of(*open->api, call.arguments().empty() ? "last" : call.arguments().front());
  if (!run) return failed(call, run.problem());
  return call.has("file") ? view_file(call, *open, *run) : view_run(call, *open, *run);
}

}  // namespace parley::client
