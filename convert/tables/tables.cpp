#include "convert/tables/tables.hpp"

#include <algorithm>

#include "convert/agents/deepeval.hpp"
#include "convert/messages/rows.hpp"
#include "convert/promptfoo/promptfoo.hpp"
#include "convert/tables/columns.hpp"
#include "convert/tables/dataset_rows.hpp"
#include "convert/tables/table_test.hpp"
#include "model/text/ascii.hpp"
#include "scoring/kinds.hpp"

namespace parley::convert {
namespace {

Node row_of(const Table& table, const std::vector<Cell>& cells) {
  Node row;
  row.kind = Node::Kind::map;
  row.place = cells.empty() ? Place{1, 1} : cells.front().place;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    Node cell;
    cell.kind = Node::Kind::text;
    cell.key = table.headers[i].text;
    cell.text = cells[i].text;
    cell.place = cells[i].place;
    row.items.push_back(std::move(cell));
  }
  return row;
}

std::vector<Node> rows_of(const Table& table) {
  std::vector<Node> rows;
  for (const auto& cells : table.rows) rows.push_back(row_of(table, cells));
  return rows;
}

/// Adds a fault for each column whose name an earlier column has. Columns without a name are not read.
bool check_headers(const Table& table, const Source& source, Faults& faults) {
  const std::size_t before = faults.count();
  std::set<std::string_view> names;
  for (const Cell& header : table.headers) {
    if (!header.text.empty() && !names.insert(header.text).second)
      faults.add(source, header.place, "a duplicate column \"" + header.text + "\"; rename one of them");
  }
  return faults.count() == before;
}

/// Groups rows with the same value in the group column into one conversation, sorted by the order column.
std::vector<std::vector<const Node*>> grouped(const std::vector<Node>& rows, const Columns& columns) {
  std::vector<std::vector<const Node*>> groups;
  std::map<std::string, std::size_t> known;
  for (const Node& row : rows) {
    const std::string group = columns.group.empty() ? std::string() : row.text_of(columns.group);
    const auto found = is_absent(group) ? known.end() : known.find(group);
    if (found != known.end()) {
      groups[found->second].push_back(&row);
      continue;
    }
    if (!is_absent(group)) known[group] = groups.size();
    groups.push_back({&row});
  }
  if (columns.order.empty()) return groups;
  for (auto& group : groups) {
    std::stable_sort(group.begin(), group.end(), [&](const Node* a, const Node* b) {
      const std::string left = a->text_of(columns.order);
      const std::string right = b->text_of(columns.order);
      if (ascii::is_digits(left) && ascii::is_digits(right) && left.size() != right.size())
        return left.size() < right.size();
      return left < right;
    });
  }
  return groups;
}

bool check_columns(Conversion& conversion, const Source& source, const std::set<std::string>& headers,
                   const Columns& columns) {
  const std::size_t before = conversion.faults.count();
  if (columns.say.empty()) {
    conversion.faults.add(source, {1, 1}, "no column is known to be the user's text; name it with --say");
    return false;
  }
  const auto need = [&](const std::string& name, const std::string& flag) {
    if (!name.empty() && !headers.contains(name))
      conversion.faults.add(source, {1, 1}, "there is no column \"" + name + "\" (" + flag + ")");
  };
  for (const std::string& each : columns.say) need(each, "--say");
  for (const ExpectedColumn& each : columns.expect) {
    need(each.name, "--expect");
    if (each.how == Expectation::type && scoring::find_kind(each.type) == nullptr) {
      conversion.faults.add(source, {1, 1}, "--expect: \"" + each.type + "\" is not an assertion type");
    }
  }
  if (columns.shape == Columns::Shape::plain) need(columns.group, "--group");
  need(columns.order, "--order");
  need(columns.name, "--name");
  return conversion.faults.count() == before;
}

void import_rows(Conversion& conversion, const Source& source, const std::vector<Node>& rows) {
  if (conversion.options.group.empty() && are_dataset_items(rows)) {
    for (const Node& row : rows) add_dataset_item(conversion, source, row);
    return;
  }
  std::set<std::string> headers;
  for (const Node& row : rows) {
    for (const Node& cell : row.items) headers.insert(cell.key);
  }
  const Columns columns = columns_of(headers, conversion.options);
  if (!check_columns(conversion, source, headers, columns)) return;
  conversion.notes += source.path + ": " + words_of(columns) + "\n";
  if (columns.shape == Columns::Shape::deepeval) {
    for (const Node& row : rows) add_golden(conversion, source, row);
    return;
  }
  for (const auto& group : grouped(rows, columns)) add_table_test(conversion, source, columns, group);
}

}  // namespace

bool is_csv(const std::string& path) {
  const std::string extension = extension_of(path);
  return extension == ".csv" || extension == ".tsv";
}

void import_csv(Conversion& conversion, const Source& source) {
  const auto table = parse_csv(source, conversion.faults);
  if (!table) return;
  if (has_promptfoo_columns(*table)) return import_bare_tests(conversion, source, tests_of_table(*table));
  if (!check_headers(*table, source, conversion.faults)) return;
  const std::vector<Node> rows = rows_of(*table);
  if (!rows.empty()) import_rows(conversion, source, rows);
}

std::optional<std::vector<Node>> csv_rows(Conversion& conversion, const Source& source) {
  const auto table = parse_csv(source, conversion.faults);
  if (!table || !check_headers(*table, source, conversion.faults)) return std::nullopt;
  return rows_of(*table);
}

void import_table(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const std::string extension = extension_of(source.path);
    if (extension != ".jsonl" && extension != ".json") return import_csv(conversion, source);
    std::vector<Node> rows;
    for_each_row(conversion, source, [&](const Node& row) {
      if (row.is_map()) {
        rows.push_back(row);
      } else {
        conversion.faults.add(source, row.place, "a row must be an object");
      }
    });
    if (!rows.empty() && conversion.faults.empty()) import_rows(conversion, source, rows);
  });
}

int looks_like_table(const std::string& path, std::string_view /*text*/, const Node* head) {
  const std::string extension = extension_of(path);
  if (is_csv(path)) return 20;
  if (head == nullptr || (extension != ".jsonl" && extension != ".json")) return 0;
  const bool is_list = head->is_list() && !head->items.empty();
  const Node& row = is_list ? head->items.front() : *head;
  if (!row.is_map() || (extension == ".json") != is_list) return 0;
  std::set<std::string> headers;
  for (const Node& cell : row.items) headers.insert(cell.key);
  const Columns columns = columns_of(headers, {});
  if (are_dataset_items({row})) return 10;
  // A .json file may contain anything, so its rows must have questions and answers.
  return columns.say.empty() || (is_list && columns.expect.empty()) ? 0 : 10;
}

}  // namespace parley::convert
