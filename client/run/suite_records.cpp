#include "client/run/suite_records.hpp"

#include <algorithm>

#include "model/json/json_writer.hpp"
#include "model/text/uri_escaped.hpp"

namespace parley::client {
namespace {

constexpr std::size_t records_of_page = 500;
constexpr std::int64_t apply_ms_max = 120'000;

/// Adds members to the document. Needs: an object with at least one member.
std::string with_members(const std::string& document, std::string_view members) {
  const std::size_t open = document.find('{');
  return document.substr(0, open + 1) + std::string(members) + "," + document.substr(open + 1);
}

Expected<std::map<std::string, std::string>> ids_by_key(Api& api, const std::string& collection,
                                                        const std::string& project) {
  std::map<std::string, std::string> ids;
  TRY_DONE(api.each_row(collection + "?output=minimal&project=" + uri_escaped(project), records_of_page,
                        [&](const json::Value& row) {
                          if (text_at(row, "project") == project)
                            ids[text_at(row, "key")] = text_at(row, "id");
                          return true;
                        }));
  return ids;
}

std::string count_words(const json::Value& root, std::string_view key, std::string_view words) {
  const auto value = json::given(root, key);
  if (!value) return "";
  const std::size_t count = value->is(json::Kind::array) ? value->size()
                            : value->is(json::Kind::number)
                                ? static_cast<std::size_t>(value->integer().value_or(0))
                                : 0;
  return count == 0 ? "" : std::to_string(count) + " " + std::string(words) + ", ";
}

/// Replaces the detail of the problem by its faults, each with its place in the files.
Problem placed(const CompiledSuite& suite, Problem found) {
  if (found.faults.empty()) return found;
  found.detail.clear();
  for (const Fault& each : found.faults) {
    const std::string place = place_of_pointer(suite, each.pointer);
    found.detail += (found.detail.empty() ? "" : "\n") + place + ": error: " + each.detail;
  }
  return found;
}

}  // namespace

std::string plain_name(const CompiledTest& test) {
  const std::string suffix = " · " + test.variant;
  const bool has_variant = !test.variant.empty() && test.name.ends_with(suffix);
  return has_variant ? test.name.substr(0, test.name.size() - suffix.size()) : test.name;
}

const std::string& reported_key(const CompiledTest& test) {
  return test.row.empty() ? test.key : test.record_key;
}

const CompiledTest* test_of(const CompiledSuite& suite, const ResultRow& row) {
  const auto found = std::find_if(suite.tests.begin(), suite.tests.end(), [&](const CompiledTest& test) {
    return reported_key(test) == row.test && plain_name(test) == row.name &&
           (test.variant.empty() ? !row.variant : row.variant == test.variant);
  });
  return found == suite.tests.end() ? nullptr : &*found;
}

PlacedPointer place_in_files(const CompiledSuite& suite, const std::string& pointer) {
  std::string part = pointer;
  for (; !part.empty(); part.erase(part.rfind('/'))) {
    const auto found = suite.pointers.find(part);
    if (found != suite.pointers.end())
      return {&found->second, part.size() < pointer.size() ? pointer.substr(part.size() + 1) : ""};
    if (part.find('/') == std::string::npos) break;
  }
  return {};
}

std::string place_of_pointer(const CompiledSuite& suite, const std::string& pointer) {
  if (const FilePlace* place = place_in_files(suite, pointer).place)
    return place->file + ":" + std::to_string(place->line) + ":" + std::to_string(place->column);
  return suite.place.file + (pointer.empty() ? "" : ": " + pointer);
}

Expected<json::Document> apply_with(Api& api, const CompiledSuite& suite, const ApplyOptions& options) {
  json::Writer members;
  members.begin_object().member("prune", options.keeps_others ? "keep" : "archive");
  members.key("dryRun").boolean(options.is_dry).key("force").boolean(options.overrides).end_object();
  const std::string text = std::move(members).text();
  const std::string body =
      with_members(suite.apply_document, std::string_view(text).substr(1, text.size() - 2));
  auto answer = api.call("POST", "/apply", {.body = body, .timeout_ms = apply_ms_max});
  if (!answer) return placed(suite, std::move(answer).problem());
  return answer;
}

std::string changes_in(const json::Value& answer) {
  std::string words = count_words(answer, "created", "created") + count_words(answer, "updated", "updated") +
                      count_words(answer, "archived", "archived") +
                      count_words(answer, "changedElsewhere", "edited on the server");
  if (!words.empty()) words.resize(words.size() - 2);
  return words;
}

Expected<Done> apply_suite(Api& api, const CompiledSuite& suite, const ApplyOptions& options) {
  TRY(answer, apply_with(api, suite, options));
  return Done{};
}

Expected<Difference> difference_of(Api& api, const CompiledSuite& suite) {
  TRY(answer, apply_with(api, suite, {.is_dry = true, .overrides = false, .keeps_others = true}));
  const json::Value root = answer.root();
  const std::string edited = count_words(root, "changedElsewhere", "edited on the server");
  std::string words = count_words(root, "created", "to create") + count_words(root, "updated", "to update") +
                      count_words(root, "archived", "to archive") + edited;
  if (!words.empty()) words.resize(words.size() - 2);
  return Difference{std::move(words), !edited.empty()};
}

Expected<SuiteRecords> records_of(Api& api, const CompiledSuite& suite) {
  SuiteRecords records;
  TRY(agents, ids_by_key(api, "/agents/", suite.project));
  TRY(personas, ids_by_key(api, "/personalities/", suite.project));
  TRY(scenarios, ids_by_key(api, "/scenarios/", suite.project));
  TRY(tests, ids_by_key(api, "/tests/", suite.project));
  records.agents = std::move(agents);
  records.personas = std::move(personas);
  records.scenarios = std::move(scenarios);
  records.tests = std::move(tests);
  for (const CompiledAgent& each : suite.agents) records.names.agents[records.agents[each.key]] = each.name;
  for (const CompiledPersona& each : suite.personas)
    records.names.personas[records.personas[each.key]] = each.name;
  std::map<std::string, std::string> scenario_names;
  for (const CompiledScenario& each : suite.scenarios) scenario_names[each.key] = each.name;
  for (const CompiledTest& each : suite.tests) {
    const auto id = records.tests.find(each.record_key);
    if (id == records.tests.end())
      return problem(ProblemKind::not_found, "the server has no test \"" + each.name + "\" of the project " +
                                                 suite.project +
                                                 ": apply the files with `parley apply` or --apply");
    NamedTest test{reported_key(each), plain_name(each), scenario_names[each.scenario],
                   std::nullopt,       each.fields,      each.place.file,
                   each.place.line};
    if (!each.variant.empty()) test.variant = each.variant;
    records.names.tests[id->second] = std::move(test);
  }
  return records;
}

}  // namespace parley::client
