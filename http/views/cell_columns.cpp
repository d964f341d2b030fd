#include "http/views/cell_columns.hpp"

#include "http/views/link.hpp"
#include "model/limits.hpp"

namespace parley::http {
namespace {

constexpr std::array<std::string_view, 9> names{"row",  "n",   "id",    "score",  "turns",
                                                "time", "usd", "group", "attempt"};
enum Column : std::size_t { row, n, id, score, turns, time, usd, group, attempt };

constexpr std::string_view null_text = "null";

std::string number_or_null(const std::optional<double>& value) {
  return value ? json::number_text(*value) : std::string(null_text);
}

std::string in_quotes(std::string_view text) {
  return "\"" + std::string(text) + "\"";  // the text has only letters, digits and hyphens
}

/// Invalid and unfinished trials have no score.
bool has_score(char state) {
  return std::string_view("pqfu").find(state) != std::string_view::npos;
}

}  // namespace

void CellColumns::add_value(std::size_t column, std::string_view json) {
  std::string& values = columns_.at(column);
  if (!values.empty()) values += ',';
  values += json;
}

void CellColumns::add(const Cell& cell, const CellFigures& figures) {
  add_value(row, std::to_string(cell.row));
  add_value(n, std::to_string(cell.n));
  add_value(id, in_quotes(to_text(cell.head->stamp.id)));
  add_value(score, has_score(cell.state) ? std::to_string(cell.head->score) : std::string(null_text));
  add_value(turns, std::to_string(figures.turns));
  add_value(time, number_or_null(figures.time));
  add_value(usd, number_or_null(figures.usd));
  add_value(group, figures.group.empty() ? std::string(null_text) : in_quotes(figures.group));
  add_value(attempt, std::to_string(figures.attempt));
  states_ += cell.state;
}

void CellColumns::add_missing(const std::vector<CellRow>& rows) {
  for (std::size_t at = 0; at < rows.size(); ++at) {
    for (std::int64_t next = rows[at].present + 1; next <= rows[at].expected; ++next) {
      if (size() >= limits::cases_max) return;
      add_value(row, std::to_string(at));
      add_value(n, std::to_string(next));
      for (const std::size_t column : {id, score, turns, time, usd, group, attempt})
        add_value(column, null_text);
      states_ += '-';
    }
  }
}

void CellColumns::write(json::Writer& out) const {
  for (std::size_t column = 0; column < names.size(); ++column) {
    if (column == score) out.member("state", states_);
    out.key(names.at(column)).raw("[" + columns_.at(column) + "]");
  }
}

void write_cell_rows(json::Writer& out, const store::Snapshot& snapshot, const std::vector<CellRow>& rows) {
  const SnapshotLinker linker(snapshot);
  out.key("tests").begin_array();
  std::int64_t line = 0;
  for (const CellRow& each : rows) {
    out.begin_object();
    out.key("test");
    each.test ? linker.append(out, RecordKind::test, *each.test) : static_cast<void>(out.null());
    out.key("personality");
    each.personality ? linker.append(out, RecordKind::personality, *each.personality)
                     : static_cast<void>(out.null());
    out.key("expected").integer(std::max(each.expected, each.present));
    out.key("line").integer(++line);
    out.end_object();
  }
  out.end_array();
}

}  // namespace parley::http
