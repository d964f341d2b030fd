#include "convert/tables/table_test.hpp"

#include <algorithm>
#include <set>

#include "convert/messages/chat_reader.hpp"
#include "convert/messages/given_messages.hpp"
#include "convert/messages/message_shapes.hpp"
#include "convert/records/checks.hpp"
#include "convert/tables/turn_objects.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Longer answers are prose, which a judge evaluates.
constexpr std::size_t short_answer_chars_max = 40;

bool is_short(const std::string& text) {
  const auto characters = std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
  return static_cast<std::size_t>(characters) <= short_answer_chars_max &&
         text.find(". ") == std::string::npos && !text.ends_with('.');
}

std::vector<Node> list_in(const Node& cell) {
  const Node inner = opened(cell);
  if (inner.is_list()) return inner.items;
  return {cell};
}

/// The columns whose values differ between the rows.
std::set<std::string> varied_columns(const std::vector<const Node*>& rows) {
  std::set<std::string> varied;
  const auto compare = [&](const Node& cells, const Node& with) {
    for (const Node& cell : cells.items) {
      const Node* other = with.find(cell.key);
      if (as_text(cell) != (other == nullptr ? std::string() : as_text(*other))) varied.insert(cell.key);
    }
  };
  for (const Node* row : rows) {
    if (row == rows.front()) continue;
    compare(*row, *rows.front());
    compare(*rows.front(), *row);
  }
  return varied;
}

class TableReader {
 public:
  TableReader(Conversion& conversion, const Source& source, const Columns& columns)
      : conversion_(conversion), source_(source), columns_(columns) {}

  /// Adds the rows of one conversation, in order.
  void add(const std::vector<const Node*>& rows) {
    const Node& first = *rows.front();
    const At at{source_, first.place};
    const auto spoken =
        std::find_if(rows.begin(), rows.end(), [&](const Node* row) { return !is_agents(*row); });
    TestDraft draft = conversion_.begin_test(name_of(spoken == rows.end() ? first : **spoken), at);
    std::size_t turn = 0;
    add_history(draft, first);
    for (const Node* row : rows) add_row(draft, *row, turn);
    const std::set<std::string> varied = varied_columns(rows);
    for (const Node* row : rows) add_fields(draft, *row, row == &first, varied);
    if (draft.test.turns.empty() && !draft.cannot_play) {
      const bool is_known = !columns_.say.empty();
      conversion_.note(
          draft, at,
          {.kind = ItemKind::turn,
           .outcome = Outcome::not_mapped,
           .source = is_known ? columns_.say.front() : "input",
           .why = is_known ? "the cell is empty"
                           : "cannot determine which member is the user's text; name it with --say"});
      draft.cannot_play = true;
    }
    conversion_.finish(std::move(draft), at);
  }

 private:
  /// Whether the row belongs to a Lex test set and has a recorded answer.
  [[nodiscard]] bool is_agents(const Node& row) const {
    return columns_.shape == Columns::Shape::lex && ascii::lower(row.text_of("Source")) == "agent";
  }

  std::string name_of(const Node& row) const {
    if (!columns_.name.empty()) return row.text_of(columns_.name);
    const Node* text = columns_.say.empty() ? nullptr : row.find(columns_.say.front());
    if (text == nullptr) return {};
    if (const auto messages = messages_in_value(*text)) return cut(last_user_text(*messages), 80);
    const std::vector<Node> turns = list_in(*text);
    return turns.empty() ? std::string() : cut(text_of_turn(turns.front()), 80);
  }

  /// Adds the messages, or exchanges `["question", "answer"]`, before the first turn.
  void add_history(TestDraft& draft, const Node& row) {
    const Node* cell = columns_.history.empty() ? nullptr : row.find(columns_.history);
    if (cell == nullptr) return;
    const Node inner = opened(*cell);
    if (is_message_list(inner)) {
      for (const Node& each : inner.items) add_to_history(conversion_, draft, source_, each);
      return;
    }
    if (!inner.is_list()) return;
    for (const Node& exchange : inner.items) {
      for (std::size_t i = 0; exchange.is_list() && i < std::min<std::size_t>(2, exchange.items.size());
           ++i) {
        const std::string text = as_text(exchange.items[i]);
        if (!text.empty()) draft.test.history.push_back({i == 0 ? "user" : "assistant", text});
      }
    }
    conversion_.note(draft, {source_, cell->place},
                     {.source = columns_.history, .text = as_text(*cell), .became = {"history"}});
  }

  /// The user's text, followed by the text that it refers to.
  [[nodiscard]] std::string said(const Node& row, const Node& cell) const {
    const std::string detail = columns_.detail.empty() ? std::string() : row.text_of(columns_.detail);
    return detail.empty() ? as_text(cell) : as_text(cell) + "\n" + detail;
  }

  void add_row(TestDraft& draft, const Node& row, std::size_t& turn) {
    const std::size_t before = turn;
    if (is_agents(row)) return add_recorded(draft, row, turn == 0 ? 0 : turn - 1);
    for (const std::string& column : columns_.say) {
      const Node* cell = row.find(column);
      if (cell == nullptr) continue;
      if (const auto messages = messages_in_value(*cell)) {
        add_given_messages(conversion_, draft, source_, *messages, column);
        turn = draft.test.turns.size();
        continue;
      }
      const bool is_list = opened(*cell).is_list();
      for (const Node& each : list_in(*cell)) {
        if (as_text(each).empty()) continue;
        const At at{source_, each.place.line == 0 ? cell->place : each.place};
        if (is_list && each.is_map()) {
          add_turn(draft, each, column, at, turn);
          continue;
        }
        conversion_.say(draft, said(row, each), at, {.source = column});
        ++turn;
      }
    }
    if (turn == before) return lose_expected(draft, row);
    for (const ExpectedColumn& column : columns_.expect) add_expected(draft, row, column, before, turn);
    if (columns_.shape == Columns::Shape::lex) add_lex(draft, row, turn - 1);
  }

  /// Adds an object in a list of turns.
  void add_turn(TestDraft& draft, const Node& item, const std::string& column, const At& at,
                std::size_t& turn) {
    const std::string text = text_of_turn(item);
    if (is_turn_of_agent(item)) {
      return conversion_.note(draft, at,
                              {.outcome = Outcome::ignored, .source = "recorded answer", .text = text});
    }
    if (text.empty()) {
      draft.cannot_play = true;
      return conversion_.note(draft, at,
                              {.kind = ItemKind::turn,
                               .outcome = Outcome::not_mapped,
                               .source = column,
                               .text = as_text(item),
                               .why = "which member is the user's text is not known"});
    }
    Item spoken{.source = column};
    if (item.items.size() > 1) {
      spoken.outcome = Outcome::approximated;
      spoken.why = "only the text of the turn is kept";
    }
    conversion_.say(draft, text, at, std::move(spoken));
    ++turn;
  }

  /// Reports the expected answers of a row in which the user says nothing.
  void lose_expected(TestDraft& draft, const Node& row) {
    for (const ExpectedColumn& column : columns_.expect) {
      const Node* cell = row.find(column.name);
      if (cell == nullptr || as_text(*cell).empty()) continue;
      conversion_.lose(draft, {source_, cell->place},
                       {.source = column.name, .text = as_text(*cell), .why = "the user says nothing"});
    }
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
    if (const auto messages = messages_in_value(*cell))
      return add_expected_messages(draft, *messages, column, end - 1, {source_, cell->place});
    const std::vector<Node> values = list_in(*cell);
    if (column.name == "target" && row.find("choices") != nullptr) {
      return conversion_.lose(
          draft, {source_, cell->place},
          {.source = column.name,
           .text = as_text(*cell),
           .why = "it refers to a choice, but the user's text does not list the choices"});
    }
    if (values.size() > 1 && end - first == 1 && column.how == Expectation::by_length)
      return add_any(draft, values, column, end - 1, *cell);
    for (std::size_t i = 0; i < values.size(); ++i) {
      const std::string text(ascii::trimmed(as_text(values[i]), " \t\n"));
      const bool is_judged_list = values.size() > 1 && column.type == "criteria";
      if (text.empty() && !is_judged_list) continue;
      // A single value applies to the last turn; the values of a list apply to one turn each.
      const std::size_t turn =
          values.size() == 1 && !opened(*cell).is_list() ? end - 1 : std::min(first + i, end - 1);
      const At at{source_, values[i].place.line == 0 ? cell->place : values[i].place};
      add_value(draft, text, column, turn, at);
    }
  }

  /// Adds the last answer and the tool calls of a recorded reference.
  void add_expected_messages(TestDraft& draft, const Node& messages, const ExpectedColumn& column,
                             std::size_t turn, const At& at) {
    const std::vector<const Node*> calls = answer_calls(messages);
    for (const Node* call : calls) add_expected_call(draft, *call, turn);
    const std::string answer = last_answer_text(messages);
    if (!answer.empty()) return add_value(draft, answer, column, turn, at);
    if (!calls.empty()) return;
    conversion_.lose(draft, at,
                     {.source = column.name, .text = as_text(messages), .why = "the assistant says nothing"});
  }

  void add_expected_call(TestDraft& draft, const Node& call, std::size_t turn) {
    const At at{source_, call.place};
    const NamedCall named = named_call(call);
    Item item{.source = "tool_calls", .text = as_text(call), .needs = "tool calls as tool entries"};
    if (named.name.empty()) {
      item.why = "it names no tool";
      return conversion_.lose(draft, at, std::move(item));
    }
    const std::string arguments =
        named.arguments == nullptr ? std::string() : arguments_json(*named.arguments);
    conversion_.check(draft, tool_called_check(named.name, arguments, turn_scope(turn)), at, std::move(item));
  }

  /// Adds several alternative answers to one turn.
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
    conversion_.check(draft, criterion_says_any(texts, turn), at, std::move(item));
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
    if (text.empty()) {  // an empty reference in a list, which has one for each turn
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

  [[nodiscard]] bool is_read(const std::string& key) const {
    const auto is_in = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    const bool is_expected = std::any_of(columns_.expect.begin(), columns_.expect.end(),
                                         [&](const ExpectedColumn& each) { return each.name == key; });
    return is_in(columns_.say) || is_expected || key == columns_.name || key == columns_.detail ||
           key == columns_.history || columns_.shape == Columns::Shape::lex;
  }

  /// Adds all other columns, or those of --field. In a conversation, only columns that are equal in all rows become
  /// fields.
  void add_fields(TestDraft& draft, const Node& row, bool is_first, const std::set<std::string>& varied) {
    const auto is_named = [](const std::string& key, const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), key) != names.end();
    };
    for (const Node& cell : row.items) {
      if (is_read(cell.key) || as_text(cell).empty()) continue;
      const At at{source_, cell.place};
      const bool is_varied = varied.contains(cell.key);
      if (is_varied ? cell.key == columns_.order : !is_first) continue;
      if (is_varied) {
        conversion_.note(draft, at,
                         {.outcome = Outcome::not_mapped,
                          .source = cell.key,
                          .text = as_text(cell),
                          .why = "it applies to one turn, but the whole conversation becomes one test"});
        continue;
      }
      if (cell.key == columns_.metadata) {
        if (cell.items.empty()) continue;
        draft.test.metadata = to_json(cell);
        conversion_.note(draft, at,
                         {.source = cell.key, .text = draft.test.metadata, .became = {"metadata"}});
        continue;
      }
      const std::string why = why_unchecked(columns_, cell.key);
      if (!why.empty()) report_unchecked(draft, cell, why);
      if (!columns_.fields.empty() && !is_named(cell.key, columns_.fields)) continue;
      const bool is_field = !is_named(cell.key, columns_.ignored) && !cell.key.empty() &&
                            cell.key.size() <= 64 && cell.key.find_first_of("{}") == std::string::npos;
      Item item{
          .outcome = is_field ? Outcome::exact : Outcome::ignored, .source = cell.key, .text = as_text(cell)};
      if (is_field) draft.test.fields[cell.key] = as_text(cell);
      if (is_field) item.became = {"fields"};
      if (why.empty()) conversion_.note(draft, at, std::move(item));
    }
  }

  void report_unchecked(TestDraft& draft, const Node& cell, const std::string& why) {
    conversion_.lose(draft, {source_, cell.place}, {.source = cell.key, .text = as_text(cell), .why = why});
  }

  Conversion& conversion_;
  const Source& source_;
  const Columns& columns_;
};

}  // namespace

bool is_absent(std::string_view cell) {
  return cell.empty() || cell == "-" || ascii::lower(cell) == "n/a";
}

void add_table_test(Conversion& conversion, const Source& source, const Columns& columns,
                    const std::vector<const Node*>& rows) {
  TableReader(conversion, source, columns).add(rows);
}

}  // namespace parley::convert
