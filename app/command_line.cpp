#include "app/command_line.hpp"

#include <CLI/CLI.hpp>
#include <map>
#include <sstream>

namespace parley::app {
namespace {

Command ended(int code, std::string text) {
  Command command;
  command.exit_code = code;
  command.text = std::move(text);
  return command;
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

}  // namespace

Command read_command_line(int argc, const char* const* argv, const char* const* environment) {
  CLI::App program{"parley: a conversation testing server"};
  program.set_version_flag("--version", std::string("parley ") + PARLEY_VERSION);
  CLI::App* serve = program.add_subcommand("serve", "run the server");
  serve->allow_extras();
  std::string file;
  serve->add_option("--config", file, "YAML file with options");
  std::map<std::string, std::string> values;
  for (const OptionRow& row : option_rows()) {
    const std::string name(row.name);
    serve
        ->add_option_function<std::string>(
            "--" + name, [&values, name](const std::string& text) { values[name] = text; },
            std::string(row.help))
        ->type_name(std::string(row.value));
  }
  try {
    program.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::ostringstream out;
    std::ostringstream fault;
    const int code = program.exit(error, out, fault);
    return ended(code, code == 0 ? out.str() : fault.str());
  }
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
