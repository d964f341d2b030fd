#include <functional>
#include <map>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/api.hpp"
#include "client/report/report_json.hpp"
#include "client/report/sentences.hpp"
#include "client/run/filter.hpp"
#include "client/run/result_reader.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/tables.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

constexpr std::int64_t rows_max = 100'000;

/// A column that shows one member.
Column member(std::string_view field, std::string_view title) {
  return {field, title, [field](const json::Value& row) {
            const auto value = json::given(row, field);
            return value ? json::as_text(*value) : std::string();
          }};
}

/// A column that shows the name of a linked record, or its id if it has no name.
Column link(std::string_view field, std::string_view title) {
  return {field, title, [field](const json::Value& row) {
            const std::string name = link_name(row, field);
            return name.empty() ? link_id(row, field) : name;
          }};
}

std::string passed_text(const json::Value& row) {
  const auto result = json::given(row, "result");
  if (!result) return "";
  const std::int64_t passed = integer_at(*result, "passed");
  return std::to_string(passed) + "/" + std::to_string(integer_at(*result, "total"));
}

std::string rate_text(const json::Value& row) {
  const auto result = json::given(row, "result");
  const auto rate = result ? number_at(*result, "passRate") : std::nullopt;
  return rate ? std::to_string(static_cast<int>(100 * *rate + 0.5)) + " %" : "";
}

struct ListKind {
  std::string_view name;
  std::string_view path;
  std::vector<Column> columns;
};

const std::vector<ListKind>& list_kinds() {
  static const std::vector<ListKind> kinds{
      {"runs",
       "/runs/",
       {member("id", "id"),
        link("scenario", "scenario"),
        link("agent", "agent"),
        member("status", "status"),
        {"result", "passed", passed_text},
        {"result.passRate", "rate", rate_text},
        member("createdAt", "created"),
        member("name", ""),
        member("metadata", ""),
        link("runGroup", "")}},
      {"tests",
       "/tests/",
       {member("id", "id"), member("name", "name"), member("key", "key"), link("scenario", "scenario"),
        member("isEnabled", "enabled"), member("parentTest", ""), member("project", ""), member("tags", "")}},
      {"agents",
       "/agents/",
       {member("id", "id"), member("name", "name"), member("type", "type"), member("isEnabled", "enabled"),
        member("project", ""), member("key", "")}},
      {"scenarios",
       "/scenarios/",
       {member("id", "id"), member("name", "name"), member("createdAt", "created"), member("project", ""),
        member("key", "")}},
      {"personas",
       "/personalities/",
       {member("id", "id"), member("name", "name"), member("description", "description"),
        member("project", ""), member("key", "")}},
      {"logs",
       "/external-conversation-logs/",
       {member("id", "id"), member("name", "name"), member("externalId", "external id"),
        link("agent", "agent"), member("createdAt", "created")}},
      {"schedules",
       "/scheduled-runs/",
       {member("id", "id"), member("name", "name"), link("scenario", "scenario"),
        member("createdAt", "created")}},
      {"groups",
       "/run-groups/",
       {member("id", "id"), member("name", "name"), member("createdAt", "created")}},
  };
  return kinds;
}

/// The names match the report (docs/reference/report.md). Some fields exist only on the server.
const std::vector<Column>& result_columns() {
  static const std::vector<Column> columns{
      member("id", "id"),           member("state", "state"),    member("name", "test"),
      member("persona", "persona"), member("agent", "agent"),    member("score", "score"),
      member("endReason", "ended"), member("run", ""),           member("test", ""),
      member("scenario", ""),       member("variant", ""),       member("fields", ""),
      member("repetition", ""),     member("fault", ""),         member("turns", ""),
      member("seconds", ""),        member("usd", ""),           member("assertions", ""),
      member("status", ""),         member("overallPassed", ""), member("createdAt", "")};
  return columns;
}

/// Converts results of the server into rows that use the field names of the report.
class ResultRows {
 public:
  explicit ResultRows(NameBook names) : names_(std::move(names)) {}

  std::string operator()(const json::Value& result) {
    const std::string row =
        result_line(read_result(result, names_, {repetitions_[link_id(result, "run")](result), false}).row);
    json::Writer more;
    more.begin_object().member("endReason", text_at(result, "endReason"));
    more.member("status", text_at(result, "status")).member("createdAt", text_at(result, "createdAt"));
    more.key("overallPassed").boolean(flag_at(result, "overallPassed")).end_object();
    return row.substr(0, row.size() - 1) + "," + std::move(more).text().substr(1);
  }

 private:
  NameBook names_;
  std::map<std::string, RepetitionCounter> repetitions_;  // by run
};

using RowMaker = std::function<std::string(const json::Value& listed)>;

/// The values of a row for --filter: each column under its field name and its title.
FilterValues values_of(const json::Value& row, const std::vector<Column>& columns) {
  FilterValues values;
  for (const Column& each : columns) {
    const std::string text = each.text(row);
    values.emplace(each.field, text);
    if (!each.title.empty() && each.title != each.field) values.emplace(each.title, text);
  }
  return values;
}

Expected<std::vector<Filter>> filters_of(const Invocation& call, const std::vector<Column>& columns) {
  std::vector<std::string> keys;
  for (const Column& each : columns) {
    keys.emplace_back(each.field);
    if (!each.title.empty()) keys.emplace_back(each.title);
  }
  std::vector<Filter> filters;
  for (const std::string& each : call.values("filter")) {
    TRY(filter, Filter::parse(each, keys));
    filters.push_back(std::move(filter));
  }
  return filters;
}

Expected<std::int64_t> limit_of(const Invocation& call, std::int64_t usual) {
  if (!call.has("limit")) return usual;
  const std::string text = call.value("limit");
  const bool is_number = text.find_first_not_of("0123456789") == std::string::npos && text.size() < 7;
  if (!is_number || std::stoll(text) < 1 || std::stoll(text) > rows_max)
    return problem(ProblemKind::invalid_parameter,
                   "--limit must be an integer from 1 to " + std::to_string(rows_max));
  return std::stoll(text);
}

/// Prints the rows of the lists. It keeps the parsed documents alive, because the rows refer to their text.
Expected<Done> print_list(const Invocation& call, Api& api, const std::vector<std::string>& paths,
                          const std::vector<Column>& columns, std::int64_t usual_limit,
                          const RowMaker& made_of) {
  TRY(filters, filters_of(call, columns));
  TRY(limit, limit_of(call, usual_limit));
  std::vector<json::Document> kept;
  constexpr std::size_t of_page = 50;
  const auto is_full = [&] { return static_cast<std::int64_t>(kept.size()) >= limit; };
  for (const std::string& path : paths) {
    if (is_full()) break;
    TRY_DONE(api.each_row(
        path, std::min<std::size_t>(of_page, filters.empty() ? static_cast<std::size_t>(limit) : of_page),
        [&](const json::Value& row) {
          json::Document made = json::parse(made_of(row)).value();
          const FilterValues values = values_of(made.root(), columns);
          bool holds = true;
          for (const Filter& filter : filters) holds = holds && filter.holds(values);
          if (holds) kept.push_back(std::move(made));
          return !is_full();
        }));
  }
  std::vector<json::Value> rows;
  for (const json::Document& each : kept) rows.push_back(each.root());
  return print_rows(call, columns, rows);
}

}  // namespace

int ls_verb(const Invocation& call) {
  const std::string wanted = call.arguments().empty() ? "runs" : call.arguments().front();
  const ListKind* kind = nullptr;
  std::vector<std::string> names;
  for (const ListKind& each : list_kinds()) {
    names.emplace_back(each.name);
    if (each.name == wanted || each.name == wanted + "s") kind = &each;
  }
  if (wanted == "results") return results_verb(call);
  if (kind == nullptr) {
    const std::string meant = nearest(wanted, names);
    std::string all;
    for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
    return wrong_use(call, "there is no list '" + wanted + "'" +
                               (meant.empty() ? "; there are " + all : "; did you mean '" + meant + "'?"));
  }
  if (call.has("json") && call.value("json").empty())
    return done_or_failed(call, print_rows(call, kind->columns, {}));
  if (const auto fields = json_fields(call, kind->columns); !fields) return failed(call, fields.problem());
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  return done_or_failed(call, print_list(call, *open->api, {std::string(kind->path)}, kind->columns, 30,
                                         [](const json::Value& row) { return std::string(row.raw()); }));
}

int results_verb(const Invocation& call) {
  if (call.has("json") && call.value("json").empty())
    return done_or_failed(call, print_rows(call, result_columns(), {}));
  if (const auto fields = json_fields(call, result_columns()); !fields) return failed(call, fields.problem());
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  const bool is_run = !call.arguments().empty() && call.arguments().front() != "results";
  const auto runs = runs_named(*open->api, is_run ? call.arguments().front() : "last");
  if (!runs) return failed(call, runs.problem());
  NameBook names;
  std::vector<std::string> paths;
  for (const std::string& run : *runs) {
    const auto whole = open->api->get("/runs/" + run);
    if (!whole) return failed(call, whole.problem());
    if (const auto read = read_test_names(*open->api, link_id(whole->root(), "scenario"), names); !read)
      return failed(call, read.problem());
    paths.push_back("/runs/" + run + "/test-results?sortOrder=asc");
  }
  ResultRows rows(std::move(names));
  return done_or_failed(call, print_list(call, *open->api, paths, result_columns(), 1'000, std::ref(rows)));
}

}  // namespace parley::client
