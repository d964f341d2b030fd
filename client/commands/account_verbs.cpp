#include <termios.h>
#include <unistd.h>

#include <iostream>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/api.hpp"
#include "client/remote/credentials.hpp"
#include "client/remote/stop_request.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

constexpr std::string_view usual_profile = "default";

/// Disables terminal echo for its lifetime.
class HiddenInput {
 public:
  HiddenInput() {
    if (::tcgetattr(STDIN_FILENO, &before_) != 0) return;
    termios hidden = before_;
    hidden.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    is_changed_ = ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden) == 0;
  }
  HiddenInput(const HiddenInput&) = delete;
  HiddenInput& operator=(const HiddenInput&) = delete;
  ~HiddenInput() {
    if (is_changed_) ::tcsetattr(STDIN_FILENO, TCSAFLUSH, &before_);
  }

 private:
  termios before_{};
  bool is_changed_ = false;
};

std::string key_from_input() {
  std::string key;
  if (::isatty(STDIN_FILENO) == 0) {
    std::getline(std::cin, key);
  } else {
    write_text(2, "Key: ");
    const HiddenInput hidden;
    if (wait_for_line()) std::getline(std::cin, key);
    write_text(2, "\n");
  }
  const std::size_t end = key.find_last_not_of(" \t\r\n");
  return end == std::string::npos ? "" : key.substr(0, end + 1);
}

/// Returns the version of the server. Listing scenarios verifies the key, because every reader may do it.
Expected<std::string> version_of(const ServerAddress& server) {
  Api api(server, &stop_requested());
  api.patience_ms = 2'000;
  TRY(version, api.get("/version"));
  TRY(allowed, api.get("/scenarios/?limit=1&output=minimal"));
  return text_at(version.root(), "version");
}

}  // namespace

int login_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the URL of the server is missing");
  std::string url = call.arguments().front();
  while (url.ends_with('/')) url.pop_back();
  if (const std::string fault = fault_of_server_url(url); !fault.empty()) return wrong_use(call, fault);
  const bool may_ask = !call.has("no-input") || ::isatty(STDIN_FILENO) == 0;
  // A signal ends the wait below, so that the echo of the terminal is restored.
  take_stop_requests();
  const std::string key = call.variable("PARLEY_KEY").value_or(may_ask ? key_from_input() : "");
  if (stop_exit_code() != 0) return stop_exit_code();
  if (key.empty())
    return wrong_use(call, "there is no key: set PARLEY_KEY, or write the key to standard input");
  const auto version = version_of({url, key});
  if (!version && version.problem().kind == ProblemKind::unauthorized)
    return failed(call, problem(ProblemKind::unauthorized, url + " refuses this key"));
  if (!version) return failed(call, version.problem());
  const auto file = credentials_file(call.around().environment);
  auto credentials = read_credentials(file);
  if (!credentials) return failed(call, credentials.problem());
  const std::string profile = call.value("profile", usual_profile);
  credentials->profiles[profile] = {url, key};
  credentials->last = profile;
  if (const auto written = write_credentials(file, *credentials); !written)
    return failed(call, written.problem());
  write_text(1, "logged in to " + url + " (parley " + *version + "), profile " + profile + "\n");
  return exit_done;
}

int logout_verb(const Invocation& call) {
  const auto file = credentials_file(call.around().environment);
  auto credentials = read_credentials(file);
  if (!credentials) return failed(call, credentials.problem());
  const std::string profile = call.value("profile", credentials->last);
  if (credentials->profiles.erase(profile) == 0)
    return wrong_use(call, profile.empty() ? "there is no login" : "there is no profile \"" + profile + "\"");
  if (credentials->last == profile)
    credentials->last = credentials->profiles.empty() ? "" : credentials->profiles.begin()->first;
  if (const auto written = write_credentials(file, *credentials); !written)
    return failed(call, written.problem());
  write_text(1, "logged out of profile " + profile + "\n");
  return exit_done;
}

int whoami_verb(const Invocation& call) {
  const auto connection =
      connection_of(call.connection_flags(), ServerPreference::last_login, call.around().environment);
  if (!connection) return failed(call, connection.problem());
  std::string version;
  if (!connection->is_local) {
    const auto found = version_of(connection->server);
    if (!found) return failed(call, found.problem());
    version = *found;
  }
  const std::string url = connection->is_local ? "" : connection->server.url;
  if (call.has("json")) {
    json::Writer out;
    out.begin_object().key("local").boolean(connection->is_local);
    out.member_or_null("url", url.empty() ? std::nullopt : std::optional(url))
        .member("urlOrigin", connection->url_origin);
    out.member("keyOrigin", connection->key_origin).member("project", connection->project_folder.string());
    out.member_or_null("version", version.empty() ? std::nullopt : std::optional(version)).end_object();
    write_text(1, std::move(out).text() + "\n");
    return exit_done;
  }
  const std::string where = connection->is_local ? "local data of " + connection->project_folder.string()
                                                 : url + " (parley " + version + ")";
  std::string text = where + "\n";
  if (call.has("origin"))
    text += "server from " + connection->url_origin + ", key from " + connection->key_origin + "\n";
  write_text(1, text);
  return exit_done;
}

}  // namespace parley::client
