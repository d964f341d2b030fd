// Converts rows of a CSV file to tests of a configuration: `__expected` and similar columns are read, others are
// variables.

#include <algorithm>
#include <array>

#include "convert/promptfoo/assertions.hpp"
#include "convert/promptfoo/promptfoo.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

bool is_expected(std::string_view header) {
  return header.starts_with("__expected");
}

/// Adds the threshold in `__config:__expected1:threshold` to `__expected1`; the first column may omit its number.
void add_threshold(const Table& table, const std::vector<Cell>& row, std::string_view column,
                   Node& assertion) {
  for (std::size_t i = 0; i < row.size(); ++i) {
    std::string_view header = table.headers[i].text;
    if (!header.starts_with("__config:") || !header.ends_with(":threshold") || row[i].text.empty()) continue;
    header.remove_prefix(std::string_view("__config:").size());
    header.remove_suffix(std::string_view(":threshold").size());
    const auto numbered = [](std::string_view name) {
      return name == "__expected" ? std::string("__expected1") : std::string(name);
    };
    if (numbered(header) != numbered(column)) continue;
    assertion.items.push_back(text_node("threshold", row[i].text, row[i].place));
    assertion.items.back().kind = Node::Kind::number;
  }
}

/// The values of the cell, separated by commas; `\,` is a literal comma.
Node values_of_cell(std::string key, const Cell& cell) {
  Node values = holder_node(Node::Kind::list, std::move(key), cell.place);
  std::string value;
  const auto add = [&] {
    values.items.push_back(text_node("", std::string(ascii::trimmed(value)), cell.place));
    value.clear();
  };
  for (std::size_t at = 0; at < cell.text.size(); ++at) {
    if (cell.text[at] == ',') {
      add();
      continue;
    }
    if (cell.text.compare(at, 2, "\\,") == 0) ++at;
    value += cell.text[at];
  }
  add();
  return values;
}

Node test_of_row(const Table& table, const std::vector<Cell>& row) {
  const Place place = row.empty() ? Place{1, 1} : row.front().place;
  Node test = holder_node(Node::Kind::map, "", place);
  Node variables = holder_node(Node::Kind::map, "vars", place);
  Node assertions = holder_node(Node::Kind::list, "assert", place);
  Node metadata = holder_node(Node::Kind::map, "metadata", place);
  Node options = holder_node(Node::Kind::map, "options", place);
  std::string metric;
  for (std::size_t i = 0; i < row.size(); ++i) {
    const std::string& header = table.headers[i].text;
    const Cell& cell = row[i];
    if (is_expected(header)) {
      if (!ascii::trimmed(cell.text).empty()) {
        assertions.items.push_back(assertion_of_cell(cell.text, cell.place));
        add_threshold(table, row, header, assertions.items.back());
      }
    } else if (header == "__description" && !cell.text.empty()) {
      test.items.push_back(text_node("description", cell.text, cell.place));
    } else if (header == "__prefix" || header == "__suffix") {
      options.items.push_back(text_node(header.substr(2), cell.text, cell.place));
    } else if (header == "__providerOutput" && !cell.text.empty()) {
      test.items.push_back(text_node("providerOutput", cell.text, cell.place));
    } else if (header == "__metric") {
      metric = cell.text;
    } else if (header == "__threshold" && !cell.text.empty()) {
      Node threshold = text_node("threshold", cell.text, cell.place);
      threshold.kind = Node::Kind::number;
      test.items.push_back(std::move(threshold));
    } else if (header.starts_with("__metadata:")) {
      const std::string key = header.substr(11);
      if (ascii::trimmed(cell.text).empty()) continue;
      metadata.items.push_back(key.ends_with("[]") ? values_of_cell(key.substr(0, key.size() - 2), cell)
                                                   : text_node(key, cell.text, cell.place));
    } else if (!header.starts_with("__")) {
      variables.items.push_back(text_node(header, cell.text, cell.place));
    }
  }
  if (!metric.empty()) {
    for (Node& each : assertions.items) each.items.push_back(text_node("metric", metric, each.place));
  }
  test.items.push_back(std::move(variables));
  if (!assertions.items.empty()) test.items.push_back(std::move(assertions));
  if (!metadata.items.empty()) test.items.push_back(std::move(metadata));
  if (!options.items.empty()) test.items.push_back(std::move(options));
  return test;
}

}  // namespace

std::vector<Node> tests_of_table(const Table& table) {
  std::vector<Node> tests;
  for (const std::vector<Cell>& row : table.rows) tests.push_back(test_of_row(table, row));
  return tests;
}

bool is_promptfoo_header(std::string_view header) {
  constexpr std::array names{"__description", "__metric", "__threshold",
                             "__prefix",      "__suffix", "__providerOutput"};
  return is_expected(header) || header.starts_with("__metadata:") || header.starts_with("__config:") ||
         std::find(names.begin(), names.end(), header) != names.end();
}

bool has_promptfoo_columns(const Table& table) {
  return std::any_of(table.headers.begin(), table.headers.end(),
                     [](const Cell& header) { return is_promptfoo_header(header.text); });
}

}  // namespace parley::convert
