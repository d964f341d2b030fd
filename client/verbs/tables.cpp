#include "client/verbs/tables.hpp"

#include <algorithm>
#include <numeric>

#include "client/remote/api.hpp"
#include "client/report/safe_text.hpp"
#include "client/screen/case_lines.hpp"
#include "client/verbs/sessions.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) parts.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

/// Writes the member of the row. A path such as `result.passRate` descends into objects.
void write_field(json::Writer& out, const json::Value& row, const std::string& field, const Column& column) {
  out.key(field);
  std::optional<json::Value> value = row;
  std::size_t begin = 0;
  while (value && begin <= field.size()) {
    const std::size_t end = std::min(field.find('.', begin), field.size());
    value = value->find(std::string_view(field).substr(begin, end - begin));
    begin = end + 1;
  }
  if (value) {
    out.raw(value->raw());
  } else if (const std::string text = column.text(row); !text.empty()) {
    out.string(text);
  } else {
    out.null();
  }
}

/// Returns the fields that --json requests. Problem: a field is unknown.
Expected<std::vector<std::string>> known_fields(const Invocation& call,
                                                const std::vector<std::string>& names) {
  std::vector<std::string> fields = split(call.value("json"));
  for (const std::string& each : fields) {
    if (std::find(names.begin(), names.end(), each) != names.end()) continue;
    const std::string meant = nearest(each, names);
    return problem(ProblemKind::invalid_parameter,
                   "--json: there is no field \"" + each + "\"" +
                       (meant.empty() ? "" : "; did you mean \"" + meant + "\"?"));
  }
  return fields;
}

}  // namespace

Expected<std::vector<std::string>> json_fields(const Invocation& call, const std::vector<Column>& columns) {
  std::vector<std::string> names;
  for (const Column& each : columns) names.emplace_back(each.field);
  for (const std::string& each : split(call.value("json"))) {
    const auto titled = std::find_if(columns.begin(), columns.end(), [&](const Column& column) {
      return column.title == each && std::find(names.begin(), names.end(), each) == names.end();
    });
    if (titled != columns.end())
      return problem(
          ProblemKind::invalid_parameter,
          "--json: there is no field \"" + each + "\"; did you mean \"" + std::string(titled->field) + "\"?");
  }
  return known_fields(call, names);
}

Expected<Done> print_members(const Invocation& call, const std::string& document) {
  TRY(parsed, json::parse(document));
  std::vector<std::string> names;
  for (const json::Value& each : parsed.root().children()) names.emplace_back(each.key());
  TRY(fields, known_fields(call, names));
  if (fields.empty()) {
    std::string text;
    for (const std::string& each : names) text += each + "\n";
    write_text(1, text);
    return Done{};
  }
  json::Writer out;
  out.begin_object();
  for (const std::string& each : fields) out.key(each).raw(parsed.root().find(each)->raw());
  out.end_object();
  write_text(1, std::move(out).text() + "\n");
  return Done{};
}

std::string table_text(const std::vector<std::string>& titles,
                       const std::vector<std::vector<std::string>>& rows, const Terminal& terminal) {
  std::vector<std::size_t> widths;
  for (const std::string& each : titles) widths.push_back(columns_of(each));
  for (const auto& row : rows)
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], std::min<std::size_t>(columns_of(row[i]), 60));
  const std::size_t whole = std::accumulate(widths.begin(), widths.end(), 2 * (widths.size() - 1));
  const bool cuts_ids = terminal.is_terminal && whole > terminal.columns && titles.front() == "id";
  if (cuts_ids) widths.front() = std::min(widths.front(), shown_id_length);
  const Paint paint(terminal);
  const auto line_of = [&](const std::vector<std::string>& cells) {
    std::string line;
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const bool cuts = cuts_ids && i == 0;
      line += padded(cuts ? cells[i].substr(0, widths[i]) : cells[i], widths[i], terminal.is_utf8);
      line += i + 1 < cells.size() ? "  " : "";
    }
    while (line.ends_with(' ')) line.pop_back();
    // A pipe gets whole lines. For a terminal, lines are truncated to its width.
    return terminal.is_terminal ? fitted(line, terminal.columns, terminal.is_utf8) : line;
  };
  std::string out = paint.bold(line_of(titles)) + "\n";
  for (const auto& row : rows) out += line_of(row) + "\n";
  return for_terminal(out, terminal);
}

Expected<Done> print_rows(const Invocation& call, const std::vector<Column>& columns,
                          const std::vector<json::Value>& rows) {
  TRY(wish, color_of(call));
  if (call.has("json")) {
    TRY(fields, json_fields(call, columns));
    std::string text;
    if (fields.empty() && call.value("json").empty()) {
      for (const Column& each : columns) text += std::string(each.field) + "\n";
      write_text(1, text);
      return Done{};
    }
    json::Writer out;
    out.begin_array();
    for (const json::Value& row : rows) {
      out.begin_object();
      for (const std::string& field : fields) {
        const auto column = std::find_if(columns.begin(), columns.end(),
                                         [&](const Column& each) { return each.field == field; });
        write_field(out, row, field, *column);
      }
      out.end_object();
    }
    out.end_array();
    write_text(1, std::move(out).text() + "\n");
    return Done{};
  }
  std::vector<std::string> titles;
  for (const Column& each : columns)
    if (!each.title.empty()) titles.emplace_back(each.title);
  std::vector<std::vector<std::string>> texts;
  for (const json::Value& row : rows) {
    texts.emplace_back();
    for (const Column& each : columns)
      if (!each.title.empty()) texts.back().push_back(one_line(each.text(row)));
  }
  write_text(1, table_text(titles, texts, terminal_of(1, call.around().environment, wish)));
  return Done{};
}

}  // namespace parley::client
