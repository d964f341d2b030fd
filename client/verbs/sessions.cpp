#include "client/verbs/sessions.hpp"

#include <charconv>

#include "client/remote/stop_request.hpp"
#include "client/run/offered_work.hpp"
#include "model/clock.hpp"

namespace parley::client {
namespace {

/// Cancels the unfinished runs of commands that were killed. Runs that were started on the page continue. Only runs
/// created before `before` are canceled, because later runs belong to commands that have joined this server.
void cancel_abandoned_runs(Api& api, const std::string& before) {
  std::vector<std::string> runs;
  for (const std::string status : {"pending", "running"}) {
    // Errors are ignored: a command must not fail because of the runs of another command.
    static_cast<void>(api.each_row("/runs/?status=" + status + "&createdBefore=" + before, 100,
                                   [&](const json::Value& row) {
                                     if (is_of_command(row)) runs.push_back(text_at(row, "id"));
                                     return true;
                                   }));
  }
  for (const std::string& run : runs) static_cast<void>(api.call("POST", "/runs/" + run + "/cancel"));
}

/// Names a shared server in a message. A user may not remember a login, so its profile is named too.
std::string words_of(const Connection& connection) {
  const bool is_login = connection.url_origin.starts_with("profile ");
  return " on " + connection.server.url +
         (is_login ? " (" + connection.url_origin + "; --project DIR selects local data)" : "");
}

}  // namespace

Expected<OpenSession> open_session(const Invocation& call) {
  SessionOptions options;
  options.needs_data = true;
  options.embedded.is_at_rest = true;
  return open_session(call, ServerPreference::last_login, options);
}

Expected<OpenSession> open_session(const Invocation& call, ServerPreference preference,
                                   const SessionOptions& options) {
  TRY(connection, connection_of(call.connection_flags(), preference, call.around().environment));
  SessionOptions with_notice = options;
  with_notice.on_wait = [] {
    write_text(2, "another parley command uses the server of this one; waiting for it (Ctrl-C ends both)\n");
  };
  const std::string started_at = to_text(SystemClock().now());
  TRY(session, Session::open(connection, call.around().start_server, std::move(with_notice)));
  auto api = std::make_unique<Api>(session.server(), &stop_requested());
  if (!connection.is_local) api->where = words_of(connection);
  if (call.has("timeout")) {
    api->patience_ms = milliseconds_of(call.value("timeout"));
    if (api->patience_ms < 0)
      return problem(ProblemKind::invalid_parameter, "--timeout must be a duration such as 250ms, 10s or 5m");
  }
  if (call.count("verbose") > 1) {
    api->http().trace([](std::string_view method, std::string_view path, int status, std::int64_t ms) {
      write_text(2, std::string(method) + " " + std::string(path) + " " + std::to_string(status) + " " +
                        std::to_string(ms) + " ms\n");
    });
  }
  if (session.is_own() && !options.is_ephemeral) cancel_abandoned_runs(*api, started_at);
  return OpenSession{std::move(session), std::move(api)};
}

std::int64_t milliseconds_of(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number > 1'000'000'000) return -1;
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  if (unit == "ms") return number;
  if (unit.empty() || unit == "s") return number * 1'000;
  if (unit == "m") return number * 60'000;
  if (unit == "h") return number * 3'600'000;
  return unit == "d" ? number * 86'400'000 : -1;
}

Expected<ColorMode> color_of(const Invocation& call) {
  const std::string word = call.value("color", "auto");
  if (word == "auto") return ColorMode::automatic;
  if (word == "always") return ColorMode::always;
  if (word == "never") return ColorMode::never;
  return problem(ProblemKind::invalid_parameter, "--color must be auto, always or never");
}

}  // namespace parley::client
