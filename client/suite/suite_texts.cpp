#include <algorithm>

#include "client/suite/suite_parts.hpp"
#include "model/json/json_writer.hpp"
#include "model/source/csv_reader.hpp"
#include "model/source/json_reader.hpp"
#include "model/text/ascii.hpp"
#include "model/text/nearest.hpp"
#include "tester/script.hpp"

namespace parley::client {
namespace {

/// A message of the script checker: `line 3: what is wrong`.
struct LineFault {
  std::uint32_t line = 1;
  std::string detail;
};
LineFault line_fault(const std::string& detail) {
  constexpr std::string_view prefix = "line ";
  const auto colon = detail.find(": ");
  if (!detail.starts_with(prefix) || colon == std::string::npos) return {1, detail};
  const std::string number = detail.substr(prefix.size(), colon - prefix.size());
  if (!ascii::is_digits(number) || number.size() > 6) return {1, detail};
  return {static_cast<std::uint32_t>(std::stoul(number)), detail.substr(colon + 2)};
}

std::string_view line_of(std::string_view text, std::uint32_t number) {
  for (std::uint32_t at = 1; at < number; ++at) {
    const auto end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  return text.substr(0, text.find('\n'));
}

/// Returns the column where a fault is shown: at the pattern if the fault concerns it, otherwise at the first word.
std::size_t column_of(std::string_view line, std::string_view detail) {
  const auto slash = line.find('/');
  if (detail.find("pattern") != std::string_view::npos && slash != std::string_view::npos) return slash;
  const auto first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? 0 : first;
}

void check_lines(SuiteSources& sources, const PlacedText& script) {
  Findings findings;
  tester::check_script(script.text, "", findings);
  for (const Fault& fault : findings.faults) {
    const LineFault found = line_fault(fault.detail);
    const std::size_t column = column_of(line_of(script.text, found.line), found.detail);
    sources.faults().push_back({source::Level::error, "script", "script: " + found.detail,
                                script.place_of_line(found.line, column), script.from()});
  }
}

/// If a model plays the tester, it could mistake a script of plain lines for prose. The first line therefore gets
/// `say:`.
std::string as_script(const std::string& text) {
  if (tester::is_script(text)) return text;
  std::string script;
  bool is_reported = false;
  for (std::string_view rest = text; !rest.empty();) {
    const auto end = std::min(rest.find('\n'), rest.size());
    const std::string_view line = rest.substr(0, end);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    const std::string_view trimmed = ascii::trimmed(line, " \t\r");
    const bool is_plain = !trimmed.empty() && !trimmed.starts_with('#') && trimmed != "end" &&
                          !trimmed.starts_with("max turns:");
    if (is_plain && !is_reported) {
      script += "say: ";
      json::append_quoted(script, trimmed);
      is_reported = true;
    } else {
      script += line;
    }
    script += '\n';
  }
  return script;
}

// Rows of data.

struct RowFields {
  std::vector<std::pair<std::string, std::string>> json;  ///< name and JSON value
  std::string key;
  source::Place place;
};

DataRow row_of(const RowFields& fields) {
  json::Writer out;
  out.begin_object();
  for (const auto& [name, value] : fields.json) out.key(name).raw(value);
  out.end_object();
  return {fields.key, std::move(out).text(), fields.place};
}

std::string json_string(std::string_view text) {
  std::string out;
  json::append_quoted(out, text);
  return out;
}

std::vector<RowFields> csv_rows(SuiteSources& sources, const source::SourceFilePtr& file,
                                const std::string& key, const View& data) {
  source::ReadCsv read = source::read_csv(file);
  for (source::SourceFault& fault : read.faults) {
    fault.from = {data.at("file").place()};
    sources.faults().push_back(std::move(fault));
  }
  std::vector<RowFields> rows;
  if (read.rows.empty()) return rows;
  const source::Row& header = read.rows.front();
  std::vector<std::string> columns;
  for (const source::Cell& cell : header) {
    if (std::find(columns.begin(), columns.end(), cell.text) != columns.end()) {
      sources.error("duplicate-key", "column \"" + cell.text + "\" is used twice", {file, cell.at});
    }
    columns.push_back(cell.text);
  }
  if (!key.empty() && std::find(columns.begin(), columns.end(), key) == columns.end()) {
    sources.error("undefined", "the file has no column \"" + key + "\"" + did_you_mean(key, columns),
                  data.at("key").place());
  }
  for (std::size_t i = 1; i < read.rows.size(); ++i) {
    const source::Row& row = read.rows[i];
    RowFields fields{{}, std::to_string(i), {file, row.front().at}};
    if (row.size() != columns.size()) {
      sources.error("csv",
                    "the row has " + std::to_string(row.size()) + " cells and the header " +
                        std::to_string(columns.size()),
                    fields.place);
      continue;
    }
    for (std::size_t column = 0; column < columns.size(); ++column) {
      fields.json.emplace_back(columns[column], json_string(row[column].text));
      if (columns[column] == key) fields.key = row[column].text;
    }
    rows.push_back(std::move(fields));
  }
  return rows;
}

std::vector<RowFields> jsonl_rows(SuiteSources& sources, const source::SourceFilePtr& file,
                                  const std::string& key, const View& data) {
  std::vector<RowFields> rows;
  for (source::ReadTree& read : source::read_json_lines(file)) {
    for (source::SourceFault& fault : read.faults) {
      fault.from = {data.at("file").place()};
      sources.faults().push_back(std::move(fault));
    }
    if (!read.tree) continue;
    const source::Node& root = read.tree->root();
    RowFields fields{{}, std::to_string(rows.size() + 1), {file, root.at}};
    if (!root.is(source::NodeKind::mapping)) {
      sources.error("wrong-type", "a line must be a JSON object", fields.place);
      continue;
    }
    for (const source::Member& member : root.members) {
      fields.json.emplace_back(member.name, View{member.value, file}.json());
      if (member.name == key) fields.key = member.value->text;
    }
    if (!key.empty() && root.find(key) == nullptr) {
      sources.error("undefined", "the line has no \"" + key + "\"", fields.place);
    }
    rows.push_back(std::move(fields));
  }
  return rows;
}

}  // namespace

TestText read_text(SuiteSources& sources, const View& test, std::optional<std::int64_t> max_turns) {
  TestText read;
  const View script = test.at("script");
  const View goal = test.at("goal");
  if (script && goal) {
    sources.error("second-type", "a test has a script or a goal, not both", test.key_place("goal"));
  }
  if (!script && !goal) return read;
  read.is_given = true;
  const PlacedText text = sources.text_of(script ? script : goal);
  read.instruction = text.text;
  read.is_script = static_cast<bool>(script);
  // A value that is not a text was already reported, and so was a file that cannot be read.
  const bool is_read = text.view.node->is_scalar() && (!sources.is_file_reference(text.view) || text.content);
  const bool is_blank = ascii::trimmed(text.text, " \t\r\n").empty();
  if (is_read && is_blank) {
    sources.error("empty-value", std::string(script ? "\"script\"" : "\"goal\"") + " is empty",
                  text.view.place());
  }
  if (script) {
    const std::size_t faults = sources.faults().size();
    check_lines(sources, text);
    const bool has_words = !tester::said_lines(text.text).empty();
    // Without a call to the agent, assertions about what must not happen would pass.
    if (is_read && !is_blank && !has_words && !test.at("history") && sources.faults().size() == faults)
      sources.error("empty-value", "\"script\" has no line that the tester says", text.view.place());
    read.instruction = as_script(text.text);
  } else if (tester::is_script(text.text)) {
    sources.error(
        "goal-is-script",
        "a goal must not have lines that begin with \"say:\", \"invoke:\" or \"if /\"; use \"script\"",
        text.view.place());
  }
  if (max_turns) read.instruction = "max turns: " + std::to_string(*max_turns) + "\n" + read.instruction;
  return read;
}

std::vector<DataRow> read_data(SuiteSources& sources, const View& data) {
  std::vector<DataRow> rows;
  const View named = data.at("file");
  if (!named) return rows;
  const auto path = sources.inside(named.text(), named);
  const source::SourceFilePtr file = path ? sources.read_file(*path, named.place()) : nullptr;
  if (!file) return rows;
  const std::string key = data.at("key").text();
  const bool is_csv = path->extension() == ".csv";
  if (!is_csv && path->extension() != ".jsonl" && path->extension() != ".ndjson") {
    sources.error("wrong-type", "data comes from a file that ends in .csv, .jsonl or .ndjson", named.place());
    return rows;
  }
  std::map<std::string, source::Place> seen;
  const std::size_t faults = sources.faults().size();
  for (const RowFields& fields :
       is_csv ? csv_rows(sources, file, key, data) : jsonl_rows(sources, file, key, data)) {
    const auto [earlier, is_new] = seen.emplace(fields.key, fields.place);
    if (!is_new) {
      sources.error("duplicate-key",
                    "row \"" + fields.key + "\" is taken by " + source::place_text(earlier->second),
                    fields.place);
    }
    rows.push_back(row_of(fields));
  }
  if (rows.empty() && sources.faults().size() == faults)
    sources.error("no-rows", "the file has no rows", named.place());
  return rows;
}

}  // namespace parley::client
