#include "client/storing/importing.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "client/remote/temporary_folder.hpp"
#include "client/suite/compiled_suite.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

/// Bounds of one batch. The server accepts 8 MiB and 10,000 lines.
constexpr std::size_t batch_bytes_max = 4 * 1024 * 1024;
constexpr std::size_t batch_lines_max = 5'000;

Expected<CompiledSuite> compiled(const std::string& yaml) {
  const TemporaryFolder folder("parley-import");
  const fs::path file = folder.path() / "import.parley.yaml";
  std::ofstream(file, std::ios::binary) << yaml;
  LoadOptions options;
  options.paths = {file.string()};
  options.folder = folder.path();
  LoadedSuites loaded = load_suites(options);
  if (loaded.suites.empty()) {
    return problem(ProblemKind::invalid_body,
                   source::report_of(std::move(loaded.faults), source::FaultFormat::text));
  }
  return std::move(loaded.suites.front());
}

/// Counts the changes of scenarios and tests in the answer of /apply.
void count_changes(const json::Value& answer, std::size_t records, convert::Stored& stored) {
  std::size_t changed = 0;
  const auto changes = answer.find("changes");
  for (const json::Value& each : changes ? changes->children() : std::vector<json::Value>{}) {
    const std::string type = text_at(each, "type");
    const std::string action = text_at(each, "action");
    if (type != "scenario" && type != "test") continue;
    if (action == "created") ++stored.created;
    if (action == "updated") ++stored.changed;
    if (action == "created" || action == "updated") ++changed;
  }
  stored.unchanged += records - std::min(changed, records);
}

/// Returns the entries of a log in the form of a request body, without defaults and without members that the server
/// added.
std::string plain_conversation(const json::Value& list) {
  json::Writer out;
  out.begin_array();
  for (const json::Value& entry : list.children()) {
    out.begin_object();
    for (const std::string_view key : {"type", "role", "content", "name", "metadata"}) {
      const auto member = json::given(entry, key);
      if (!member) continue;
      const bool is_default = (key == "type" && json::as_text(*member) == "message") ||
                              (key == "metadata" && member->size() == 0);
      if (!is_default) out.key(key).raw(member->raw());
    }
    out.end_object();
  }
  out.end_array();
  return std::move(out).text();
}

bool equal_json(std::string_view one, std::string_view other) {
  const auto a = json::parse(one);
  const auto b = json::parse(other);
  return a.ok() && b.ok() && json::equal(a->root(), b->root());
}

std::string member_json(const json::Value& object, std::string_view key, std::string_view otherwise) {
  const auto found = json::given(object, key);
  return found ? std::string(found->raw()) : std::string(otherwise);
}

/// Whether the stored log equals the body. The description is not compared: it names the file, which may have moved.
bool is_same_log(const json::Value& body, const json::Value& record) {
  if (text_at(body, "externalSource") != text_at(record, "externalSource")) return false;
  if (!equal_json(member_json(body, "metadata", "{}"), member_json(record, "metadata", "{}"))) return false;
  const auto of_body = body.find("conversation");
  const auto of_record = record.find("conversation");
  if (!of_body || !of_record) return false;
  return equal_json(plain_conversation(*of_body), plain_conversation(*of_record));
}

Expected<Done> compare_stored(Api& api, std::string_view line, const json::Value& outcome,
                              convert::Stored& stored) {
  const std::string name = text_at(outcome, "externalId");
  TRY(record, api.get("/external-conversation-logs/" + uri_escaped(text_at(outcome, "id"))));
  TRY(body, json::parse(line));
  if (!is_same_log(body.root(), record.root())) {
    return problem(ProblemKind::conflict,
                   "the log \"" + name + "\" is stored with other content; delete it, or use --into");
  }
  ++stored.unchanged;
  return Done{};
}

/// A log, and its line in the file.
struct LogLine {
  std::string_view text;
  std::size_t number;
};

/// The logs of one call.
struct Batch {
  std::string file;
  std::vector<LogLine> lines;
};

Expected<Done> take_outcome(Api& api, const Batch& batch, const json::Value& outcome,
                            convert::Stored& stored) {
  const std::vector<LogLine>& lines = batch.lines;
  const std::int64_t status = integer_at(outcome, "status");
  if (status == 201) {
    ++stored.created;
    return Done{};
  }
  const auto number = static_cast<std::size_t>(integer_at(outcome, "line"));
  const bool is_known = number >= 1 && number <= lines.size();
  const std::string place =
      batch.file + ":" + (is_known ? std::to_string(lines[number - 1].number) + ":" : "") + " ";
  if (status == 409 && is_known) {
    auto same = compare_stored(api, lines[number - 1].text, outcome, stored);
    if (same) return same;
    return problem(same.problem().kind, place + same.problem().detail);
  }
  const auto why = outcome.find("problem");
  const std::string name = text_at(outcome, "externalId");
  return problem(ProblemKind::invalid_body,
                 place + "the server refuses the log" + (name.empty() ? "" : " \"" + name + "\"") + ": " +
                     (why ? text_at(*why, "detail") : "status " + std::to_string(status)));
}

Expected<Done> store_batch(Api& api, const Batch& batch, convert::Stored& stored) {
  std::string body;
  for (const LogLine& line : batch.lines) body.append(line.text) += '\n';
  TRY(answer, api.call("POST", "/external-conversation-logs/batch",
                       {.body = std::move(body), .content_type = "application/jsonl"}));
  const auto outcomes = answer.root().find("outcomes");
  for (const json::Value& each : outcomes ? outcomes->children() : std::vector<json::Value>{}) {
    TRY_DONE(take_outcome(api, batch, each, stored));
  }
  return Done{};
}

}  // namespace

Expected<Done> store_suite(Api& api, const std::string& yaml, convert::Stored& stored) {
  TRY(suite, compiled(yaml));
  TRY(answer, api.call("POST", "/apply", {.body = suite.apply_document, .timeout_ms = 120'000}));
  count_changes(answer.root(), suite.scenarios.size() + suite.tests.size(), stored);
  return Done{};
}

Expected<Done> store_logs(Api& api, const std::string& file, std::string_view text, convert::Stored& stored) {
  Batch batch{file, {}};
  std::size_t bytes = 0;
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const bool is_full = bytes + line.size() > batch_bytes_max || batch.lines.size() >= batch_lines_max;
    if (!batch.lines.empty() && is_full) {
      TRY_DONE(store_batch(api, batch, stored));
      batch.lines.clear();
      bytes = 0;
    }
    batch.lines.push_back({line, number});
    bytes += line.size() + 1;
  }
  return batch.lines.empty() ? Expected<Done>(Done{}) : store_batch(api, batch, stored);
}

}  // namespace parley::client
