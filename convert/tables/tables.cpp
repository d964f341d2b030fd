#include "convert/tables/tables.hpp"

#include <algorithm>
#include <array>

#include "convert/agents/deepeval.hpp"
#include "convert/messages/given_messages.hpp"
#include "convert/messages/rows.hpp"
#include "convert/promptfoo/promptfoo.hpp"
#include "convert/records/checks.hpp"
#include "convert/tables/columns.hpp"
#include "model/text/ascii.hpp"
#include "scoring/kinds.hpp"

namespace parley::convert {
namespace {

/// Longer answers are prose, which a judge decides.
constexpr std::size_t short_answer_chars_max = 40;

bool is_short(const std::string& text) {
  const auto characters = std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return static_cast<std::size_t>(characters) <= short_answer_chars_max &&
         text.find(". ") == std::string::npos && !text.ends_with('.');
}

bool is_absent(std::string_view group) {
  return group.empty() || group == "-" || ascii::lower(group) == "n/a";
}

std::vector<Node> list_in(const Node& cell) {
  const Node inner = opened(cell);
  if (inner.is_list()) return inner.items;
  return {cell};
}

class TableReader {
 public:
  TableReader(Conversion& conversion, const Source& source, const Columns& columns)
      : conversion_(conversion), source_(source), columns_(columns) {}

  /// Rows of one conversation, in order.
  void add(const std::vector<const Node*>& rows) {
    const Node& first = *rows.front();
    const At at{source_, first.place};
    TestDraft draft = conversion_.begin_test(name_of(first), at);
    std::size_t turn = 0;
    for (const Node* row : rows) add_row(draft, *row, turn);
    if (rows.size() == 1) add_fields(draft, first);
    if (draft.test.turns.empty()) {
      conversion_.note(draft, at,
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = columns_.say.front(),
                        .why = "the cell is empty"});
      draft.cannot_play = true;
    }
    conversion_.finish(std::move(draft), at);
  }

 private:
  std::string name_of(const Node& row) const {
    if (!columns_.name.empty()) return row.text_of(columns_.name);
    const Node* text = row.find(columns_.say.front());
    if (text == nullptr) return {};
    if (const Node inner = opened(*text); is_message_list(inner)) return cut(last_user_text(inner), 80);
    const std::vector<Node> turns = list_in(*text);
    return turns.empty() ? std::string() : cut(as_text(turns.front()), 80);
  }

  void add_row(TestDraft& draft, const Node& row, std::size_t& turn) {
    const std::size_t before = turn;
    const bool is_agent =
        columns_.shape == Columns::Shape::lex && ascii::lower(row.text_of("Source")) == "agent";
    if (is_agent) return add_recorded(draft, row, turn == 0 ? 0 : turn - 1);
    for (const std::string& column : columns_.say) {
      const Node* cell = row.find(column);
      if (cell == nullptr) continue;
      if (const Node inner = opened(*cell); is_message_list(inner)) {
        add_given_messages(conversion_, draft, source_, inner, column);
        turn = draft.test.turns.size();
        continue;
      }
      for (const Node& each : list_in(*cell)) {
        if (as_text(each).empty()) continue;
        conversion_.say(draft, as_text(each), {source_, each.place.line == 0 ? cell->place : each.place},
                        {.source = column});
        ++turn;
      }
    }
    if (turn == before) return;
    for (const ExpectedColumn& column : columns_.expect) add_expected(draft, row, column, before, turn);
    if (columns_.shape == Columns::Shape::lex) add_lex(draft, row, turn - 1);
  }

  void add_recorded(TestDraft& draft, const Node& row, std::size_t turn) {
    const std::string text = row.text_of("Input");
    const std::string& how = conversion_.options.check;
    const At at{source_, row.place};
    Item item{.source = "Agent", .text = text};
    if (how == "criteria") return conversion_.check(draft, criterion_says(text, turn), at, std::move(item));
    if (!how.empty())
      return conversion_.check(draft, text_check(how, text, turn_scope(turn)), at, std::move(item));
    item.outcome = Outcome::ignored;
    conversion_.note(draft, at, std::move(item));
  }

  void add_expected(TestDraft& draft, const Node& row, const ExpectedColumn& column, std::size_t first,
                    std::size_t end) {
    const Node* cell = row.find(column.name);
    if (cell == nullptr) return;
    const std::vector<Node> values = list_in(*cell);
    if (column.name == "target" && row.find("choices") != nullptr) {
      return conversion_.lose(draft, {source_, cell->place},
                              {.source = column.name,
                               .text = as_text(*cell),
                               .why = "it names a choice, and the user's text does not have the choices"});
    }
    if (values.size() > 1 && end - first == 1 && column.how == Expectation::by_length)
      return add_any(draft, values, column, end - 1, *cell);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string text(ascii::trimmed(as_text(values[i]), " \t\n"));
      const bool is_judged_list = values.size() > 1 && column.type == "criteria";
      if (text.empty() && !is_judged_list) continue;
      // A single value is about the last turn, the values of a list about one turn each.
      const std::size_t turn =
          values.size() == 1 && !opened(*cell).is_list() ? end - 1 : std::min(first + i, end - 1);
      const At at{source_, values[i].place.line == 0 ? cell->place : values[i].place};
      add_value(draft, text, column, turn, at);
    }
  }

  /// Several answers to one turn: each of them is right.
  void add_any(TestDraft& draft, const std::vector<Node>& values, const ExpectedColumn& column,
               std::size_t turn, const Node& cell) {
    std::vector<std::string> texts;
    for (const Node& each : values) {
      std::string text(ascii::trimmed(as_text(each), " \t\n"));
      if (!text.empty()) texts.push_back(std::move(text));
    }
    if (texts.empty()) return;
    Item item{.source = column.name, .text = as_text(cell)};
    const At at{source_, cell.place};
    if (std::all_of(texts.begin(), texts.end(), is_short))
      return conversion_.check(draft, texts_check("contains-any", texts, turn_scope(turn)), at,
                               std::move(item));
    std::string list;
    for (const std::string& each : texts) list += "\n- " + each;
    conversion_.check(draft, criterion_says("one of these:" + list, turn), at, std::move(item));
  }

  void add_value(TestDraft& draft, const std::string& text, const ExpectedColumn& column, std::size_t turn,
                 const At& at) {
    Item item{.source = column.name, .text = text};
    if (column.how == Expectation::intent) {
      item.needs = "messages carry /intent/name";
      return conversion_.check(draft, intent(text, turn), at, std::move(item));
    }
    const std::string type = column.how == Expectation::type ? column.type
                             : is_short(text)                ? "contains"
                                                             : "criteria";
    if (text.empty()) {  // a list of references has one for each turn, and this one says nothing in particular
      const std::string words =
          "The chatbot does what turn " + std::to_string(turn + 1) + " of the user asks for.";
      return conversion_.check(draft, criterion_of(words), at, std::move(item));
    }
    if (type == "criteria") return conversion_.check(draft, criterion_says(text, turn), at, std::move(item));
    const std::string scope = turn_scope(turn);
    if (type == "regex" || type == "wildcard")
      return conversion_.check(draft, pattern_check(type, text, scope), at, std::move(item));
    conversion_.check(draft, text_check(type, text, scope), at, std::move(item));
  }

  static Check intent(const std::string& name, std::size_t turn) {
    return json_check({"/intent/name", "messages", {}, "equals", json_text(name), turn_scope(turn)});
  }

  void add_lex(TestDraft& draft, const Node& row, std::size_t turn) {
    const Node* name = row.find("Expected Output Intent");
    if (name != nullptr && !is_absent(name->text)) {
      conversion_.check(draft, intent(name->text, turn), {source_, name->place},
                        {.source = name->key, .text = name->text, .needs = "messages carry /intent/name"});
    }
    for (const Node& cell : row.items) {
      if (!cell.key.starts_with("Expected Output Slot") || is_absent(cell.text)) continue;
      const std::size_t equals = cell.text.find('=');
      const std::string slot(ascii::trimmed(cell.text.substr(0, equals)));
      const bool has_value = equals != std::string::npos;
      const std::string value =
          has_value ? std::string(ascii::trimmed(cell.text.substr(equals + 1))) : std::string();
      Check check = json_check({"/slots/" + json::pointer_token(slot),
                                "messages",
                                {},
                                has_value ? "equals" : "exists",
                                has_value ? json_text(value) : "true",
                                turn_scope(turn)});
      conversion_.check(draft, std::move(check), {source_, cell.place},
                        {.source = cell.key, .text = cell.text, .needs = "messages carry /slots"});
    }
  }

  /// All other columns, or those of --field.
  void add_fields(TestDraft& draft, const Node& row) {
    for (const Node& cell : row.items) {
      const auto is_named = [&](const std::vector<std::string>& names) {
        return std::find(names.begin(), names.end(), cell.key) != names.end();
      };
      const bool is_expected = std::any_of(columns_.expect.begin(), columns_.expect.end(),
                                           [&](const ExpectedColumn& each) { return each.name == cell.key; });
      const bool is_lex = columns_.shape == Columns::Shape::lex;
      if (is_named(columns_.say) || is_expected || cell.key == columns_.name || is_lex ||
          as_text(cell).empty())
        continue;
      if (!columns_.fields.empty() && !is_named(columns_.fields)) continue;
      const bool is_name =
          !cell.key.empty() && cell.key.size() <= 64 && cell.key.find_first_of("{}") == std::string::npos;
      Item item{
          .outcome = is_name ? Outcome::exact : Outcome::ignored, .source = cell.key, .text = as_text(cell)};
      if (is_name) draft.test.fields[cell.key] = as_text(cell);
      if (is_name) item.became = {"fields"};
      conversion_.note(draft, {source_, cell.place}, std::move(item));
    }
  }

  Conversion& conversion_;
  const Source& source_;
  const Columns& columns_;
};

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

/// Rows with one value in the group's column are one conversation, ordered by the other column.
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
  TableReader reader(conversion, source, columns);
  for (const auto& group : grouped(rows, columns)) reader.add(group);
}

void import_csv(Conversion& conversion, const Source& source) {
  const auto table = parse_csv(source, conversion.faults);
  if (!table) return;
  if (has_expected_columns(*table)) return import_bare_tests(conversion, source, tests_of_table(*table));
  std::vector<Node> rows;
  for (const auto& cells : table->rows) rows.push_back(row_of(*table, cells));
  if (!rows.empty()) import_rows(conversion, source, rows);
}

}  // namespace

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
  if (extension == ".csv" || extension == ".tsv") return 20;
  if (head == nullptr || (extension != ".jsonl" && extension != ".json")) return 0;
  const bool is_list = head->is_list() && !head->items.empty();
  const Node& row = is_list ? head->items.front() : *head;
  if (!row.is_map() || (extension == ".json") != is_list) return 0;
  std::set<std::string> headers;
  for (const Node& cell : row.items) headers.insert(cell.key);
  const Columns columns = columns_of(headers, {});
  // A .json file may be anything; its rows must have questions and answers.
  return columns.say.empty() || (is_list && (columns.expect.empty() || headers.contains("instruction"))) ? 0
                                                                                                         : 10;
}

}  // namespace parley::convert
