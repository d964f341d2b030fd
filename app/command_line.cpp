#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>

#include "store/backup.hpp"

namespace parley::app {
namespace {

Command ended(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.text = std::move(text);
  return command;
}

/// What the option does, and what it is where nobody sets it.
std::string help_of(const OptionRow& row) {
  const std::string usual = row.way.shown(Config{});
  return std::string(row.help) + (usual.empty() ? "" : " (" + usual + ")");
}

/// CLI11 reports an unknown option as an extra; this finds what was meant.
std::string unknown_options(const std::vector<std::string>& extras) {
  std::string text;
  for (const std::string& extra : extras) {
    if (!extra.starts_with("--")) continue;
    const std::string name =
        extra.substr(2, extra.find('=') == std::string::npos ? extra.npos : extra.find('=') - 2);
    const std::string meant = nearest_option(name);
    text += "parley: unknown option '--" + name + "'" +
            (meant.empty() ? "" : "; did you mean '--" + meant + "'?") + "\n";
  }
  if (text.empty() && !extras.empty()) text = "parley: unexpected argument '" + extras.front() + "'\n";
  return text;
}

/// The values of all sources, the weakest first: file, environment, command line.
Result<std::vector<Given>> merged(const std::string& file, const char* const* environment,
                                  const std::map<std::string, std::string>& flags) {
  std::vector<Given> all;
  if (!file.empty()) {
    TRY(given, from_file(file));
    all = std::move(given);
  }
  for (Given& given : from_environment(environment)) all.push_back(std::move(given));
  for (const auto& [name, text] : flags) all.push_back({name, text, "command line"});
  return all;
}

/// The subcommands that work on a data directory, and what was given to them.
class Tools {
 public:
  explicit Tools(CLI::App& program) {
    CLI::App* backup = add(program, ToolCall::Tool::backup, "backup",
                           "copy the data directory, also while a server uses it");
    backup->add_option("FILE", call_.file, "file to make; the keys go to FILE.keys")->required();
    CLI::App* restore =
        add(program, ToolCall::Tool::restore, "restore", "make a data directory out of a backup");
    restore->add_option("FILE", call_.file, "file that backup made")->required();
    restore->add_option("--keys", call_.keys, "file with the keys (FILE.keys)");
    add(program, ToolCall::Tool::doctor, "doctor",
        "check everything in a data directory that no server uses");
    CLI::App* audit = program.add_subcommand("audit", "the log of who changed what");
    audit->require_subcommand(1);
    CLI::App* verify = add(*audit, ToolCall::Tool::audit_verify, "verify",
                           "check the chain of records, also while a server uses the directory");
    verify->add_option("--head", call_.head,
                       "SEQ:HASH that the server's log once told; the log must hold it");
    verify->add_flag("--values", call_.with_values,
                     "what is stored must be what the log says was written last");
    CLI::App* show =
        add(*audit, ToolCall::Tool::audit_show, "show", "print the records, one JSON object a line");
    show->add_option("--from", call_.from, "number of the first record to print (1)");
  }

  [[nodiscard]] std::optional<ToolCall> chosen(const Config& config) const {
    for (const auto& [tool, app] : apps_) {
      if (!app->parsed()) continue;
      ToolCall call = call_;
      call.tool = tool;
      call.data = data_.empty() ? config.data : std::filesystem::path(data_);
      if (call.keys.empty()) call.keys = store::keys_beside(call.file);
      return call;
    }
    return std::nullopt;
  }

 private:
  CLI::App* add(CLI::App& program, ToolCall::Tool tool, const std::string& name, const std::string& help) {
    CLI::App* app = program.add_subcommand(name, help);
    app->add_option("--data", data_, "data directory (./parley-data)");
    apps_.emplace_back(tool, app);
    return app;
  }

  ToolCall call_;
  std::string data_;
  std::vector<std::pair<ToolCall::Tool, CLI::App*>> apps_;
};

/// The data directory may come from the environment, as that of serve does (D90).
std::optional<Command> used_tool(const Tools& tools, const char* const* environment) {
  const auto config = configured(from_environment(environment));
  const auto call = tools.chosen(config.ok() ? *config : Config{});
  if (!call) return std::nullopt;
  if (!config) return ended(2, "parley: " + config.problem().detail + "\n");
  Command command;
  command.tool = *call;
  return command;
}

}  // namespace

Command read_command_line(int argc, const char* const* argv, const char* const* environment) {
  CLI::App program{"parley: a conversation testing server"};
  program.set_version_flag("--version", std::string("parley ") + PARLEY_VERSION);
  CLI::App* serve = program.add_subcommand("serve", "run the server");
  serve->allow_extras();
  std::string file;
  serve->add_option("--config", file, "YAML file with options")->envname("PARLEY_CONFIG");
  std::map<std::string, std::string> values;
  for (const OptionRow& row : option_rows()) {
    const std::string name(row.name);
    const bool is_switch = row.value.starts_with("true|false");
    CLI::Option* option = serve->add_option_function<std::string>(
        "--" + name,
        [&values, name, is_switch](const std::string& text) {
          values[name] = is_switch && text.empty() ? "true" : text;
        },
        help_of(row));
    option->type_name(std::string(row.value));
    if (is_switch) option->expected(0, 1);  // alone it says true
  }
  const Tools tools(program);
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream fault;
    const int code = program.exit(error, out, fault);
    return ended(code, code == 0 ? out.str() : fault.str());
  }
  if (const auto tool = used_tool(tools, environment)) return *tool;
  if (!serve->parsed()) return ended(2, program.help());
  if (const std::string unknown = unknown_options(serve->remaining()); !unknown.empty())
    return ended(2, unknown);
  const auto given = merged(file, environment, values);
  if (!given) return ended(2, "parley: " + given.problem().detail + "\n");
  auto config = configured(*given);
  if (!config) return ended(2, "parley: " + config.problem().detail + "\n");
  Command command;
  command.serve = std::move(config).value();
  return command;
}

}  // namespace parley::app
