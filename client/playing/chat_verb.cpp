#include <unistd.h>

#include <chrono>
#include <iostream>
#include <optional>
#include <thread>

#include "client/commands/families.hpp"
#include "client/exec/exec_runner.hpp"
#include "client/gate/exit_code.hpp"
#include "client/playing/suite_agents.hpp"
#include "client/remote/private_file.hpp"
#include "client/remote/stop_request.hpp"
#include "client/report/safe_text.hpp"
#include "client/report/transcript.hpp"
#include "client/run/result_reader.hpp"
#include "client/run/stored_agents.hpp"
#include "client/screen/case_lines.hpp"
#include "client/verbs/named_exec.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/suite_loading.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

constexpr std::chrono::milliseconds answer_pause{50};
constexpr std::chrono::minutes answer_within{10};

/// Converts the entry into the action of a tester's turn: {name, arguments}.
std::string action_of(const json::Value& entry) {
  const auto metadata = json::given(entry, "metadata");
  const auto arguments = metadata ? json::given(*metadata, "arguments") : std::nullopt;
  json::Writer action;
  action.begin_object().member("name", text_at(entry, "name"));
  action.key("arguments").raw(arguments ? arguments->compact().text : "{}").end_object();
  return std::move(action).text();
}

class Chat {
 public:
  /// `command` answers if the agent is a command of the suite.
  Chat(const Invocation& call, Api& api, const Terminal& terminal, std::optional<ExecOptions> command)
      : call_(call), api_(api), terminal_(terminal) {
    if (!command) return;
    command->stop = &stop_requested();
    command_.emplace(std::move(*command));
  }

  int run(const std::string& agent) {
    json::Writer body;
    body.begin_object().member("agent", agent).key("isManual").boolean(true).end_object();
    const auto made = api_.post("/test-results/", std::move(body).text());
    if (!made) return failed(call_, made.problem());
    path_ = "/test-results/" + text_at(made->root(), "id");
    if (command_) command_->begin_conversation();
    write_text(2, "Type what the user says. " + std::string(commands) + "\n");
    for (std::string line; !stop_requested() && read_line(line);) {
      if (line == "/end") break;
      if (line.empty()) continue;
      if (line.starts_with('/') && !is_command(line)) {
        write_text(2, "not a command: " + one_line(line) + "; " + std::string(commands) + "\n");
        continue;
      }
      const int code = line.starts_with("/save ") ? save(line.substr(6)) : say(line);
      if (code != exit_done) return code;
      if (has_ended_) break;
    }
    static_cast<void>(api_.call("POST", path_ + "/finish"));
    if (command_) command_->end_conversation();
    return exit_done;
  }

 private:
  static constexpr std::string_view commands =
      "/act NAME {\"key\": ...} invokes an action, /save FILE.yaml writes a test, /end ends.";

  /// A mistyped command must not reach the agent. A path such as `/etc/hosts` is a message.
  static bool is_command(const std::string& line) {
    const bool is_path = line.substr(0, line.find(' ')).find('/', 1) != std::string::npos;
    return is_path || line.starts_with("/act ") || line.starts_with("/save ");
  }

  static bool read_line(std::string& line) {
    if (::isatty(STDIN_FILENO) != 0) write_text(2, "> ");
    return wait_for_line() && std::getline(std::cin, line);
  }

  int say(const std::string& line) {
    json::Writer entry;
    std::string script_line = "say: " + line + "\n";
    if (line.starts_with("/act ")) {
      const std::size_t end = std::min(line.find(' ', 5), line.size());
      const std::string arguments = end < line.size() ? line.substr(end + 1) : "{}";
      const auto parsed = json::parse(arguments, json::outside);
      if (!parsed) {
        write_text(2, "the arguments are not JSON\n");
        return exit_done;
      }
      entry.begin_object()
          .member("type", "action")
          .member("role", "tester")
          .member("name", line.substr(5, end - 5));
      entry.key("metadata")
          .begin_object()
          .key("arguments")
          .raw(parsed->root().compact().text)
          .end_object()
          .end_object();
      script_line = "invoke: " + line.substr(5) + "\n";
    } else {
      entry.begin_object()
          .member("type", "message")
          .member("role", "tester")
          .member("content", line)
          .end_object();
    }
    auto recorded = api_.post(path_ + "/conversation", std::move(entry).text());
    if (!recorded) {
      write_text(2, one_line(recorded.problem().detail) + "\n");
      return exit_done;
    }
    script_ += script_line;  // only messages that the server accepted can be replayed
    if (command_) ask_command(*recorded);
    return show_answer();
  }

  /// Passes the last entry of the result to the command as the turn, and records the answer.
  void ask_command(json::Document& result) {
    const auto entries = json::given(result.root(), "conversation");
    if (!entries || entries->children().empty()) return;
    const json::Value said = entries->children().back();
    json::Writer turn;
    turn.begin_object().member("message_id", text_at(said, "id"));
    if (text_at(said, "type") == "message")
      turn.member("message", text_at(said, "content"));
    else
      turn.key("action").raw(action_of(said));
    turn.end_object();
    if (const auto parsed = json::parse(std::move(turn).text(), json::outside))
      static_cast<void>(answer_turn(api_, result, parsed->root(), *command_));
  }

  int show_answer() {
    const auto until = std::chrono::steady_clock::now() + answer_within;
    while (!stop_requested() && std::chrono::steady_clock::now() < until) {
      const auto whole = api_.get(path_);
      if (!whole) return failed(call_, whole.problem());
      const ReadResult read = read_result(whole->root(), {}, {1, true});
      bool has_answer = false;
      for (; shown_ < read.row.transcript.size(); ++shown_) {
        const EntryRow& each = read.row.transcript[shown_];
        if (each.role == "tester") continue;
        has_answer = has_answer || each.type == "message";
        const std::string text = each.type == "message" ? several_lines(each.text) : saying_of(each);
        write_text(1,
                   for_terminal(speaker_of(each, read.row) + ": " + hanging_lines(text, terminal_, 0) + "\n",
                                terminal_));
      }
      has_ended_ = flag_at(whole->root(), "isEnded");
      if (has_answer || has_ended_) {
        if (read.row.fault) write_text(2, one_line(why(read.row)) + "\n");
        return exit_done;
      }
      std::this_thread::sleep_for(answer_pause);
    }
    return stop_exit_code();
  }

  int save(const std::string& file) {
    std::string text =
        "version: 1\nproject: chat\nagents:\n  bot: {external: true}\ntests:\n  - name: A chat\n    script: "
        "|\n";
    for (std::size_t begin = 0; begin < script_.size();) {
      const std::size_t end = script_.find('\n', begin);
      text += "      " + script_.substr(begin, end - begin) + "\n";
      begin = end + 1;
    }
    text += "    must:\n      - no-loop: {}\n";
    const auto written = write_whole(file, text);
    write_text(2, written ? "saved " + file + ": set its agent and what must be true\n"
                          : written.problem().detail + "\n");
    return exit_done;
  }

  const Invocation& call_;
  Api& api_;
  const Terminal& terminal_;
  std::optional<ExecAgent> command_;
  std::string path_;
  std::string script_;
  std::size_t shown_ = 0;
  bool has_ended_ = false;
};

Expected<std::string> registered(Api& api, const NamedExec& command) {
  TRY(answer, api.post("/agents/local", heartbeat_of(command)));
  return text_at(answer.root(), "agent_id");
}

}  // namespace

int chat_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the agent is missing: parley chat AGENT");
  const auto wish = color_of(call);
  if (!wish) return wrong_use(call, wish.problem().detail);
  const Terminal terminal = terminal_of(1, call.around().environment, *wish);
  const std::string& name = call.arguments().front();
  const auto command = exec_agent_of(call, name);
  const auto suites = suites_of_project(call);
  const auto own = suites ? find_agent(*suites, name) : std::nullopt;
  SessionOptions options;
  options.needs_data = !own;
  auto open = open_session(call, ServerPreference::local, options);
  if (!open) return failed(call, without_data(open.problem(), suites, name));
  auto agent =
      own && open->session.is_local() ? apply_agent(*open->api, *own) : agent_id_of(*open->api, name);
  if (!agent && command) agent = registered(*open->api, *command);
  if (!agent) return failed(call, agent.problem());
  take_stop_requests();
  const auto answers = command ? std::optional(command->options) : std::nullopt;
  return Chat(call, *open->api, terminal, answers).run(*agent);
}

}  // namespace parley::client
