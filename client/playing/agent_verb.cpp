#include <chrono>
#include <memory>
#include <set>
#include <thread>

#include "client/commands/families.hpp"
#include "client/exec/exec_runner.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/suite_agents.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/run/stored_agents.hpp"
#include "client/screen/case_lines.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/named_exec.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

constexpr std::chrono::seconds heartbeat_every{5};
constexpr std::string_view probe_text = "Hello";

/// Creates an agent for one probe, on a server that is removed afterwards.
Expected<std::string> temporary_agent(const Invocation& call, Api& api) {
  json::Writer body;
  body.begin_object()
      .member("name", "probe")
      .member("type", call.has("http") ? "HTTP" : "OPENAI")
      .key("config")
      .begin_object();
  body.member("url", call.has("http") ? call.value("http") : call.value("openai"));
  if (call.has("openai")) body.member("model", call.value("model"));
  body.end_object();
  if (const auto key = call.variable("PARLEY_AGENT_KEY"); key && !key->empty())
    body.key("secrets")
        .begin_object()
        .member(call.has("http") ? "Authorization" : "apiKey", *key)
        .end_object();
  body.end_object();
  TRY(made, api.post("/agents/", std::move(body).text()));
  return text_at(made.root(), "id");
}

ExecOptions exec_options(const Invocation& call) {
  ExecOptions options;
  options.name = "exec";
  options.settings.command = {"/bin/sh", "-c", call.value("exec")};
  const std::string mode = call.value("mode", "session");
  options.settings.mode = mode == "turn" ? ExecSettings::Mode::turn : ExecSettings::Mode::session;
  options.environment = exec_environment(options.settings, call.around().environment);
  return options;
}

struct Probe {
  std::string sent;
  AnswerOrFault read;
  std::string errors;  ///< what the command wrote to standard error
};

std::string text_of(const Probe& probe, const Terminal& terminal) {
  std::string text = "sent  " + probe.sent + "\n";
  if (probe.read.answer) {
    for (const std::string& each : probe.read.answer->entries) text += "read  " + one_line(each) + "\n";
  } else {
    text += "fault " + one_line(probe.read.fault.code + ": " + probe.read.fault.detail) + "\n";
  }
  if (!probe.errors.empty())
    text += "standard error:\n" + std::string(guard_of(terminal)) + hanging_lines(probe.errors, terminal, 0) +
            "\n";
  return text;
}

std::string json_of(const Probe& probe) {
  json::Writer out;
  out.begin_object().key("ok").boolean(probe.read.answer.has_value()).key("sent").raw(probe.sent);
  out.key("read").begin_array();
  if (probe.read.answer)
    for (const std::string& each : probe.read.answer->entries) out.raw(each);
  out.end_array();
  if (!probe.read.answer)
    out.key("fault")
        .begin_object()
        .member("code", probe.read.fault.code)
        .member("detail", probe.read.fault.detail)
        .end_object();
  out.member("stderr", probe.errors).end_object();
  return std::move(out).text() + "\n";
}

/// Plays one turn, and prints the request and the parsed answer.
int check_command(const Invocation& call, ExecOptions options) {
  json::Writer turn;
  turn.begin_object().member("testResultId", "probe").key("turn").integer(0).member("message", probe_text);
  turn.key("conversation").begin_array().end_array().key("metadata").begin_object().end_object().end_object();
  Probe probe;
  probe.sent = std::move(turn).text();
  options.stop = &stop_requested();
  ExecAgent agent(std::move(options));
  agent.begin_conversation();
  probe.read = agent.ask({0, probe.sent, probe.sent});
  agent.end_conversation();
  probe.errors = agent.errors();
  const Terminal terminal = terminal_of(1, call.around().environment, ColorMode::automatic);
  write_text(1, call.has("json") ? json_of(probe) : text_of(probe, terminal));
  return probe.read.answer ? exit_done : exit_undecided;
}

int check_agent(const Invocation& call) {
  const std::string mode = call.value("mode", "session");
  if (mode != "session" && mode != "turn") return wrong_use(call, "--mode must be session or turn");
  if (call.has("exec")) return check_command(call, exec_options(call));
  const bool is_temporary = call.has("http") || call.has("openai");
  if (!is_temporary && call.arguments().size() < 2)
    return wrong_use(call, "name an agent, or give --http, --openai or --exec");
  if (!is_temporary) {
    if (auto named = exec_agent_of(call, call.arguments()[1]))
      return check_command(call, std::move(named).value().options);
  }
  if (call.has("openai") && !call.has("model")) return wrong_use(call, "--openai needs --model");
  const auto connection =
      connection_of(call.connection_flags(), ServerPreference::last_login, call.around().environment);
  if (!connection) return failed(call, connection.problem());
  const std::string name = is_temporary ? "" : call.arguments()[1];
  // An agent of the local suite is checked as its file describes it, and leaves no trace in the local data.
  const auto suites = suites_of_project(call);
  const auto own = suites && connection->is_local ? find_agent(*suites, name) : std::nullopt;
  SessionOptions options;
  options.is_ephemeral = is_temporary || own;
  options.needs_data = !options.is_ephemeral;
  auto open = open_session(
      call, options.is_ephemeral ? ServerPreference::local : ServerPreference::last_login, options);
  if (!open) return failed(call, without_data(open.problem(), suites, name));
  const auto id = is_temporary ? temporary_agent(call, *open->api)
                  : own        ? apply_agent(*open->api, *own)
                               : agent_id_of(*open->api, name);
  if (!id) return failed(call, id.problem());
  const auto checked = open->api->call("POST", "/agents/" + *id + "/check", {.timeout_ms = 600'000});
  if (!checked) return failed(call, checked.problem());
  if (call.has("json")) {
    write_text(1, checked->root().compact().text + "\n");
  } else {
    std::string text;
    for (const json::Value& each : checked->root().children())
      if (!each.is(json::Kind::null))
        text += std::string(each.key()) + ": " + one_line(json::as_text(each)) + "\n";
    write_text(1, text);
  }
  const auto ok = checked->root().find("ok");
  return ok && ok->is(json::Kind::boolean) && !ok->boolean() ? exit_undecided : exit_done;
}

/// Sends heartbeats until Ctrl-C. Each heartbeat renews the offer and accepts waiting work.
int serve_agent(const Invocation& call) {
  if (call.arguments().size() < 2) return wrong_use(call, "name an exec agent of the suite");
  auto found = exec_agent_of(call, call.arguments()[1]);
  if (!found) return failed(call, found.problem());
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  if (open->session.is_local())
    return wrong_use(call, "a shared server is needed: use --server or `parley login`");
  take_stop_requests();
  const std::string served = found->options.name;
  OfferedWork work(*std::move(found));
  bool is_reported = false;
  while (!stop_requested()) {
    const auto agent = work.beat(*open->api);
    if (!agent) return failed(call, agent.problem());
    if (!is_reported) write_text(2, "serving " + served + " as agent " + *agent + "\n");
    is_reported = true;
    const auto until = std::chrono::steady_clock::now() + heartbeat_every;
    while (!stop_requested() && std::chrono::steady_clock::now() < until)
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
  return exit_done;
}

}  // namespace

int agent_verb(const Invocation& call) {
  const std::string what = call.arguments().empty() ? "" : call.arguments().front();
  if (what == "check") return check_agent(call);
  if (what == "serve") return serve_agent(call);
  return wrong_use(call, "missing subcommand: use `parley agent check` or `parley agent serve`");
}

}  // namespace parley::client
