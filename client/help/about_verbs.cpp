#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/screen/terminal.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {

namespace {

bool is_of_server(const std::string& name) {
  return std::find(server_commands.begin(), server_commands.end(), name) != server_commands.end();
}

int refer_to_server(const Invocation& call, const std::string& name) {
  return wrong_use(call, "'" + name + "' is a command of the server: run parley " + name + " --help");
}

}  // namespace

int help_verb(const Invocation& call) {
  if (call.has("man")) {
    const std::string page = man_page_of(call.arguments().empty() ? "" : call.arguments().front());
    if (page.empty() && is_of_server(call.arguments().front()))
      return refer_to_server(call, call.arguments().front());
    if (page.empty()) return wrong_use(call, "there is no command '" + call.arguments().front() + "'");
    write_text(1, page);
    return exit_done;
  }
  if (call.arguments().empty()) {
    write_text(1, "Usage: parley COMMAND [OPTIONS]\n\nCommands:\n" + help_of_all() +
                      "\nCommands of the server: " + fmt::format("{}", fmt::join(server_commands, ", ")) +
                      " (parley --help).\n"
                      "parley help COMMAND shows the options of one.\n");
    return exit_done;
  }
  const std::string& name = call.arguments().front();
  const VerbSpec* verb = find_verb(name);
  if (verb == nullptr) {
    if (is_of_server(name)) return refer_to_server(call, name);
    if (name == "parley.yaml")
      return wrong_use(call, "parley.yaml is a file: run parley help --man parley.yaml, or parley schema");
    std::vector<std::string> names;
    for (const VerbSpec& each : verbs())
      if (!each.name.starts_with("__")) names.emplace_back(each.name);
    names.insert(names.end(), server_commands.begin(), server_commands.end());
    const std::string meant = nearest(name, names);
    return wrong_use(call, "there is no command '" + name + "'" +
                               (meant.empty() ? "" : "; did you mean '" + meant + "'?"));
  }
  write_text(1, help_of(*verb));
  return exit_done;
}

int version_verb(const Invocation& call) {
  if (!call.has("json")) {
    write_text(1, "parley " + call.around().version + "\n");
    return exit_done;
  }
  json::Writer out;
  out.begin_object().member("version", call.around().version).member("compiler", "g++ " __VERSION__);
#ifdef NDEBUG
  out.member("build", "release");
#else
  out.member("build", "checked");
#endif
  out.key("suiteVersion").integer(1).key("reportVersion").integer(1).end_object();
  write_text(1, std::move(out).text() + "\n");
  return exit_done;
}

}  // namespace parley::client
