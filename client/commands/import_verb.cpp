#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/safe_text.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

constexpr std::size_t file_bytes_max = 512u << 20;

struct Imported {
  std::int64_t created = 0;
  std::vector<std::string> faults;
};

/// One conversation log. A fault names its place and does not stop the others.
void import_log(Api& api, const json::Value& log, const std::string& place, Imported& imported) {
  if (!log.is(json::Kind::object)) {
    imported.faults.push_back(place + ": must be a JSON object");
    return;
  }
  const auto made = api.post("/external-conversation-logs/", log.compact().text);
  if (made) {
    ++imported.created;
  } else {
    imported.faults.push_back(place + ": " + made.problem().detail);
  }
}

/// A JSON document, an array of them, or a line for each.
Expected<Done> import_file(Api& api, const std::string& file, Imported& imported) {
  const auto text = content_of(file, file_bytes_max);
  if (!text) return problem(ProblemKind::invalid_parameter, file + " cannot be read");
  if (const auto whole = json::parse(*text)) {
    if (!whole->root().is(json::Kind::array)) {
      import_log(api, whole->root(), file, imported);
      return Done{};
    }
    std::size_t number = 0;
    for (const json::Value& each : whole->root().children())
      import_log(api, each, file + "[" + std::to_string(number++) + "]", imported);
    return Done{};
  }
  std::size_t number = 0;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    const std::string_view line = std::string_view(*text).substr(begin, end - begin);
    begin = end + 1;
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const std::string place = file + ":" + std::to_string(number);
    const auto parsed = json::parse(line, json::outside);
    if (parsed) {
      import_log(api, parsed->root(), place, imported);
    } else {
      imported.faults.push_back(place + ": " + parsed.problem().detail);
    }
  }
  return Done{};
}

}  // namespace

int import_verb(const Invocation& call) {
  if (call.arguments().empty()) return wrong_use(call, "the files are missing: parley import FILE...");
  SessionOptions options;
  auto open = open_session(call, ServerPreference::last_login, options);
  if (!open) return failed(call, open.problem());
  Imported imported;
  for (const std::string& each : call.arguments())
    if (const auto done = import_file(*open->api, each, imported); !done) return failed(call, done.problem());
  if (call.has("json")) {
    json::Writer out;
    out.begin_object().key("created").integer(imported.created).key("errors").begin_array();
    for (const std::string& each : imported.faults) out.string(each);
    out.end_array().end_object();
    write_text(1, std::move(out).text() + "\n");
  } else {
    for (const std::string& each : imported.faults) write_text(2, one_line(each) + "\n");
    write_text(1, std::to_string(imported.created) + " imported, " + std::to_string(imported.faults.size()) +
                      " with errors\n");
  }
  return imported.faults.empty() ? exit_done : exit_wrong_use;
}

}  // namespace parley::client
