#include "app/options/command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>

#include "app/options/exit_codes.hpp"
#include "app/options/log_options.hpp"
#include "client/verbs/verb.hpp"
#include "store/secrets/backup.hpp"

namespace parley::app {
namespace {

Command ended(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.text = std::move(text);
  return command;
}

/// The common form of all usage errors.
Command misused(const std::string& why) {
  return ended(exit_misused, "parley: " + why + "\n");
}

/// Describes the option, and its default.
std::string help_of(const OptionRow& row) {
  const std::string usual = row.way.shown(Config{});
  return std::string(row.help) + (usual.empty() ? "" : " (" + usual + ")");
}

/// The parsed command line: values by option, and errors.
class Typed {
 public:
  CLI::Option* add(CLI::App& app, const std::string& name, const std::string& value,
                   const std::string& help) {
    const auto take = [this, name](const CLI::results_t& given) {
      if (given.size() > 1) twice_ = name;
      values_[name] = given.front();
      return true;
    };
    CLI::Option* option = app.add_option(name, CLI::callback_t(take), help);
    return option->type_name(value)->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  [[nodiscard]] std::optional<std::string> find(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? std::nullopt : std::optional(found->second);
  }
  /// An option that was given more than once; empty if every option was given once.
  [[nodiscard]] const std::string& twice() const { return twice_; }

 private:
  std::map<std::string, std::string> values_;
  std::string twice_;
};

std::string meaning(const std::string& prefix, const std::string& meant) {
  return meant.empty() ? "" : "; did you mean '" + prefix + meant + "'?";
}

std::string unknown_option(const CLI::App& app, const std::string& extra) {
  const std::string name = extra.substr(0, extra.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& each : option->get_lnames()) names.push_back(each);
  }
  const std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
  return "unknown option '" + name + "'" + meaning("--", nearest(bare, names));
}

std::string unknown_word(const CLI::App& app, const std::string& word) {
  std::vector<std::string> names;
  for (const CLI::App* each : app.get_subcommands({})) names.push_back(each->get_name());
  if (!names.empty()) {
    if (app.get_parent() == nullptr) {
      for (const client::VerbSpec& each : client::verbs())
        if (!each.name.starts_with("__")) names.emplace_back(each.name);
    }
    const std::string meant = nearest(word, names);
    std::string all;
    for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
    return "unknown command '" + word + "'" + (meant.empty() ? "; there are " + all : meaning("", meant));
  }
  const CLI::Option* data = app.get_option_no_throw("--data");
  const bool may_be_data = data != nullptr && data->count() == 0;
  return "unexpected argument '" + word + "'" + (may_be_data ? meaning("--data ", word) : "");
}

/// The first unknown argument, which CLI11 keeps; empty if all are known. An unknown option is reported before
/// unknown words, which may be its value.
std::string unknown_in(const CLI::App& app) {
  const std::vector<std::string> extras = app.remaining();
  for (const std::string& extra : extras) {
    if (extra.starts_with("-")) return unknown_option(app, extra);
  }
  if (!extras.empty()) return unknown_word(app, extras.front());
  for (const CLI::App* each : app.get_subcommands()) {
    if (std::string fault = unknown_in(*each); !fault.empty()) return fault;
  }
  return {};
}

/// The subcommands that work on a data directory, and their arguments.
class Tools {
 public:
  Tools(CLI::App& program, Typed& typed) : typed_(typed) {
    CLI::App& backup =
        add(program, ToolCall::Tool::backup, "backup", "copy the data directory; a server may be using it");
    typed_.add(backup, "FILE", "", "file to create; the keys go to FILE.keys (required)");
    CLI::App& restore =
        add(program, ToolCall::Tool::restore, "restore", "create a data directory from a backup");
    typed_.add(restore, "FILE", "", "file that backup made (required)");
    typed_.add(restore, "--keys", "FILE", "file with the keys (FILE.keys)");
    add(program, ToolCall::Tool::doctor, "doctor", "check a data directory that no server uses");
    CLI::App& migrate = add(program, ToolCall::Tool::migrate, "migrate",
                            "start a log for several nodes from a data directory that no server uses");
    typed_.add(migrate, "--to", "URL", "PostgreSQL database without a log (required)");
    CLI::App& rebase = add(program, ToolCall::Tool::rebase, "rebase",
                           "replace the copy in a node's data directory with that of the log");
    typed_.add(rebase, "--log", "URL", "PostgreSQL database of the log (required)");
    audit_ = program.add_subcommand("audit", "the log of changes and their authors");
    audit_->allow_extras()->require_subcommand(0, 1);
    CLI::App& verify = add(*audit_, ToolCall::Tool::audit_verify, "verify",
                           "check the chain of records; a server may be using the directory");
    typed_.add(verify, "--head", "SEQ:HASH", "head from the server's log; the audit log must contain it");
    verify.add_flag("--values", with_values_, "check that stored values are those written last");
    CLI::App& show =
        add(*audit_, ToolCall::Tool::audit_show, "show", "print the records, one JSON object per line");
    typed_.add(show, "--from", "N", "number of the first record to print (1)");
  }

  /// nullopt if none of these subcommands was given.
  [[nodiscard]] std::optional<Command> command(const char* const* environment) const {
    if (audit_->parsed() && audit_->get_subcommands().empty())
      return misused("audit needs a command: verify or show");
    for (const auto& [tool, app] : apps_) {
      if (app->parsed()) return command_of(tool, environment);
    }
    return std::nullopt;
  }

 private:
  CLI::App& add(CLI::App& program, ToolCall::Tool tool, const std::string& name, const std::string& help) {
    CLI::App* app = program.add_subcommand(name, help);
    app->allow_extras();
    typed_.add(*app, "--data", "DIR", "data directory (" + Config{}.data.string() + ")");
    apps_.emplace_back(tool, app);
    return *app;
  }

  /// The data directory may come from the environment, as for serve (D90).
  [[nodiscard]] Command command_of(ToolCall::Tool tool, const char* const* environment) const {
    const auto config = configured(from_environment(environment));
    if (!config) return misused(config.problem().detail);
    ToolCall call;
    call.tool = tool;
    call.data = typed_.find("--data").value_or(config->data.string());
    const bool needs_file = tool == ToolCall::Tool::backup || tool == ToolCall::Tool::restore;
    if (needs_file && typed_.find("FILE").value_or("").empty()) return misused("the FILE is missing");
    call.file = typed_.find("FILE").value_or("");
    call.keys = typed_.find("--keys").value_or(store::keys_path_for(call.file).string());
    call.with_values = with_values_;
    if (const std::string fault = set_log(tool, *config, call); !fault.empty()) return misused(fault);
    if (const auto text = typed_.find("--head")) {
      call.head = store::audit_head_from_text(*text);
      if (!call.head) return misused("command line: head must be SEQ:HASH, as in the server's log");
    }
    if (const auto text = typed_.find("--from")) {
      const auto from = quantity_of(*text);
      if (!from || !from->unit.empty()) return misused("command line: from must be an integer");
      call.from = static_cast<std::uint64_t>(from->number);
    }
    Command command;
    command.tool = std::move(call);
    return command;
  }

  /// Sets the log for the tools that need one: from the command line, or else from PARLEY_LOG, which may contain a
  /// password. Returns the error; empty if there was no error.
  [[nodiscard]] std::string set_log(ToolCall::Tool tool, const Config& config, ToolCall& call) const {
    if (tool != ToolCall::Tool::migrate && tool != ToolCall::Tool::rebase) return {};
    const std::string name = tool == ToolCall::Tool::migrate ? "to" : "log";
    const auto given = typed_.find("--" + name);
    call.log_url = given.value_or(config.log_url);
    if (call.log_url.empty()) return "the option '--" + name + "' is missing";
    if (std::string fault = fault_of_shown_log(call.log_url, given.has_value()); !fault.empty())
      return "command line: " + name + " " + fault;
    return {};
  }

  Typed& typed_;
  CLI::App* audit_ = nullptr;
  bool with_values_ = false;
  std::vector<std::pair<ToolCall::Tool, CLI::App*>> apps_;
};

bool is_switch(const OptionRow& row) {
  return row.value.starts_with("true|false");
}

/// Finds an option with an empty value that the parser would not notice (`--name=`, or "" after a switch): the parser
/// would read true, or use the next word as the value. Usually the shell variable for the value is unset. Returns an
/// empty text if there is no such option.
std::string emptied_in(int argc, const char* const* argv) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (!word.starts_with("--")) continue;
    if (word.find('=') == word.size() - 1) return std::string(word.substr(0, word.size() - 1));
    const auto& rows = option_rows();
    const auto row =
        std::find_if(rows.begin(), rows.end(), [&](const OptionRow& r) { return r.name == word.substr(2); });
    const bool is_emptied = i + 1 < argc && argv[i + 1][0] == '\0';
    if (is_emptied && row != rows.end() && is_switch(*row)) return std::string(word);
  }
  return {};
}

/// A subcommand that accepts the options of a server.
CLI::App& add_server(CLI::App& program, Typed& typed, const std::string& name, const std::string& help) {
  CLI::App& server = *program.add_subcommand(name, help);
  server.allow_extras();
  typed.add(server, "--config", "FILE", "YAML file with options")->envname("PARLEY_CONFIG");
  for (const OptionRow& row : option_rows()) {
    CLI::Option* option =
        typed.add(server, "--" + std::string(row.name), std::string(row.value), help_of(row));
    if (is_switch(row)) option->expected(0, 1);  // without a value: true
  }
  server.footer(
      "Secrets come from the environment only:\n"
      "  PARLEY_BOOTSTRAP_KEY     text of the first admin key, instead of a random one\n"
      "  PARLEY_SECRETS_KEY       master key of agents' secrets (64 hex digits), instead of the file "
      "secrets.key\n"
      "  PARLEY_PEPPER_KEY        pepper of API keys (64 hex digits), instead of the file pepper.key\n"
      "  PARLEY_LOG_PASSWORD      password of the log's database\n"
      "  PARLEY_TESTER_API_KEY    key of the tester's endpoint\n"
      "  PARLEY_JUDGE_API_KEY     key of the judge's endpoint\n"
      "  PARLEY_OTLP_AUTHORIZATION  Authorization header for --otlp-endpoint");
  return server;
}

/// CLI11 treats an empty variable as unset and would silently ignore all options in the file.
std::optional<std::string> file_of_options(const Typed& typed) {
  const auto file = typed.find("--config");
  return file ? file : environment_value("PARLEY_CONFIG");
}

/// Merges the values from all sources, lowest precedence first: file, environment, command line.
Expected<std::vector<Given>> merged(const Typed& typed, const char* const* environment) {
  std::vector<Given> all;
  if (const auto file = file_of_options(typed)) {
    if (file->empty()) return problem(ProblemKind::invalid_parameter, "config must be a file");
    TRY(given, from_file(*file));
    all = std::move(given);
  }
  for (Given& given : from_environment(environment)) all.push_back(std::move(given));
  for (const OptionRow& row : option_rows()) {
    const auto text = typed.find("--" + std::string(row.name));
    if (!text) continue;
    all.push_back({std::string(row.name), is_switch(row) && text->empty() ? "true" : *text, "command line"});
  }
  return all;
}

/// `use`: the member of Command that receives the options.
Command with_options(const Typed& typed, const char* const* environment,
                     std::optional<Config> Command::*use) {
  const auto given = merged(typed, environment);
  if (!given) return misused(given.problem().detail);
  auto config = configured(*given);
  if (!config) return misused(config.problem().detail);
  if (const std::string fault = fault_of(*config); !fault.empty()) return misused(fault);
  if (const std::string fault = fault_of_log_options(*given, *config); !fault.empty()) return misused(fault);
  for (std::string& line : unknown_variables(environment)) config->warnings.push_back(std::move(line));
  Command command;
  command.*use = std::move(config).value();
  return command;
}

/// Handles what CLI11 itself reports: help, and an option without its value.
Command command_of_parse_error(const CLI::App& program, const CLI::ParseError& error) {
  std::ostringstream out;
  std::ostringstream fault;
  if (program.exit(error, out, fault) == 0) return ended(0, out.str());
  const std::string what = error.what();
  if (error.get_name() != "ArgumentMismatch") return misused(what);
  return misused("the option '" + what.substr(0, what.find(':')) + "' needs a value");
}

}  // namespace

Command read_command_line(int argc, const char* const* argv, const char* const* environment) {
  CLI::App program{"parley: tests of chatbots and AI agents, and the server that plays them"};
  program.set_version_flag("--version", std::string("parley ") + PARLEY_VERSION);
  program.allow_extras()->require_subcommand(0, 1);
  Typed typed;
  const CLI::App& serve = add_server(program, typed, "serve", "run the server");
  const CLI::App& check =
      add_server(program, typed, "check-models",
                 "ask the tester's and the judge's model once each, with the options of serve");
  const Tools tools(program, typed);
  // existing subcommands do not inherit the footer
  program.footer("Commands of the client (parley help COMMAND):\n" + client::help_of_all());
  if (const std::string emptied = emptied_in(argc, argv); !emptied.empty())
    return misused("the option '" + emptied + "' has an empty value");
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    return command_of_parse_error(program, error);
  }
  if (const std::string unknown = unknown_in(program); !unknown.empty()) return misused(unknown);
  if (!typed.twice().empty()) return misused("'" + typed.twice() + "' is given twice");
  if (const auto command = tools.command(environment)) return *command;
  if (serve.parsed()) return with_options(typed, environment, &Command::serve);
  if (check.parsed()) return with_options(typed, environment, &Command::check_models);
  return ended(exit_misused, program.help());
}

}  // namespace parley::app
