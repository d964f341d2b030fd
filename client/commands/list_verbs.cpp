#include <array>

#include "client/commands/families.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/api.hpp"
#include "client/report/sentences.hpp"
#include "client/run/filter.hpp"
#include "client/run/result_reader.hpp"
#include "client/run/stored_runs.hpp"
#include "client/verbs/sessions.hpp"
#include "client/verbs/tables.hpp"

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

/// The name of a link, or its id where it has none.
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

const std::vector<Column>& result_columns() {
  static const std::vector<Column> columns{
      member("id", "id"),
      {"state", "state", [](const json::Value& row) { return std::string(word_of(state_of(row))); }},
      link("test", "test"),
      link("personality", "persona"),
      link("agent", "agent"),
      member("score", "score"),
      member("endReason", "ended"),
      member("status", ""),
      link("run", ""),
      member("createdAt", ""),
      member("overallPassed", "")};
  return columns;
}

/// Values of a row for --filter: each column, by its field.
FilterValues values_of(const json::Value& row, const std::vector<Column>& columns) {
  FilterValues values;
  for (const Column& each : columns) values.emplace(each.field, each.text(row));
  return values;
}

Expected<std::vector<Filter>> filters_of(const Invocation& call, const std::vector<Column>& columns) {
  std::vector<std::string> keys;
  for (const Column& each : columns) keys.emplace_back(each.field);
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

/// Prints the rows of a list. They are kept as documents, since a row refers to its text.
Expected<Done> print_list(const Invocation& call, Api& api, const std::string& path,
                          const std::vector<Column>& columns, std::int64_t usual_limit) {
  if (call.has("json") && call.value("json").empty()) return print_rows(call, columns, {});
  TRY(fields, json_fields(call, columns));
  TRY(filters, filters_of(call, columns));
  TRY(limit, limit_of(call, usual_limit));
  std::vector<json::Document> kept;
  const std::size_t of_page = path.find("output=minimal") == std::string::npos ? 50 : 500;
  TRY_DONE(api.each_row(
      path, std::min<std::size_t>(of_page, filters.empty() ? static_cast<std::size_t>(limit) : of_page),
      [&](const json::Value& row) {
        const FilterValues values = values_of(row, columns);
        bool holds = true;
        for (const Filter& filter : filters) holds = holds && filter.holds(values);
        if (holds) kept.push_back(json::parse(row.raw()).value());
        return static_cast<std::int64_t>(kept.size()) < limit;
      }));
  std::vector<json::Value> rows;
  for (const json::Document& each : kept) rows.push_back(each.root());
  return print_rows(call, columns, rows);
}

int done_or_failed(const Invocation& call, const Expected<Done>& done) {
  return done ? exit_done : failed(call, done.problem());
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
    const std::string meant = closest_name(wanted, names);
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
  return done_or_failed(call, print_list(call, *open->api, std::string(kind->path), kind->columns, 30));
}

int results_verb(const Invocation& call) {
  if (call.has("json") && call.value("json").empty())
    return done_or_failed(call, print_rows(call, result_columns(), {}));
  if (const auto fields = json_fields(call, result_columns()); !fields) return failed(call, fields.problem());
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  const bool is_run = !call.arguments().empty() && call.arguments().front() != "results";
  const auto run = run_id_of(*open->api, is_run ? call.arguments().front() : "last");
  if (!run) return failed(call, run.problem());
  return done_or_failed(call, print_list(call, *open->api, "/runs/" + *run + "/test-results?sortOrder=asc",
                                         result_columns(), 1'000));
}

}  // namespace parley::client
