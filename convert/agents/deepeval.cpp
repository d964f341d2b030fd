#include "convert/agents/deepeval.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/rows.hpp"
#include "convert/reading/csv.hpp"
#include "convert/records/checks.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 4> contexts{"context", "retrieval_context", "retrieval_contexts",
                                                   "contexts"};
/// The keys that are read in a conversational golden, in a golden with one input, and in a turn.
constexpr std::array<std::string_view, 5> conversation_keys{"scenario", "user_description",
                                                            "expected_outcome", "turns", "name"};
constexpr std::array<std::string_view, 6> single_keys{"input",          "expected_output", "actual_output",
                                                      "expected_tools", "tools_called",    "name"};
constexpr std::array<std::string_view, 4> turn_keys{"role", "content", "tools_called", "mcp_tools_called"};

/// Confident AI writes the same keys in camelCase.
std::string snake_case(std::string_view key) {
  std::string snake;
  for (const char c : key) {
    const char low = ascii::lower(c);
    if (low != c && !snake.empty()) snake += '_';
    snake += low;
  }
  return snake;
}

/// The member with that name in either spelling. Null pointer: it is missing, null or empty.
const Node* member_in(const Node& holder, std::string_view name) {
  for (const Node& each : holder.items) {
    if (snake_case(each.key) == name && !as_text(each).empty()) return &each;
  }
  return nullptr;
}

std::string text_in(const Node& holder, std::string_view name) {
  const Node* found = member_in(holder, name);
  return found == nullptr ? std::string() : as_text(*found);
}

/// The items of a list, of the JSON text of a list, or of a CSV cell separated by `;`, as DeepEval reads the columns of
/// tools, or by `|`.
std::vector<Node> list_of(const Node* given) {
  if (given == nullptr) return {};
  const Node inner = opened(*given);
  if (inner.is_list()) return inner.items;
  if (inner.is_map()) return {inner};
  std::vector<Node> items;
  std::string_view left = given->text;
  while (!left.empty()) {
    const std::size_t end = left.find_first_of(";|");
    Node item = *given;
    item.text = ascii::trimmed(left.substr(0, end));
    if (!item.text.empty()) items.push_back(std::move(item));
    left = end == std::string_view::npos ? std::string_view() : left.substr(end + 1);
  }
  return items;
}

std::string name_of_tool(const Node& tool) {
  return tool.is_map() ? tool.text_of("name") : as_text(tool);
}

void add_tools(LogDraft& log, const Node& holder) {
  for (const std::string_view key : {"tools_called", "mcp_tools_called"}) {
    for (const Node& tool : list_of(member_in(holder, key))) {
      Members about;
      if (const Node* arguments = tool.first_of({"input_parameters", "inputParameters", "input", "args"}))
        set_member(about, "arguments", to_json(*arguments));
      if (const Node* output = tool.first_of({"output", "result"}))
        set_member(about, "result", to_json(*output));
      const std::string name = name_of_tool(tool);
      if (!name.empty()) log.call(name, std::move(about));
    }
  }
}

class GoldenReader {
 public:
  GoldenReader(Conversion& conversion, const Source& source, const Node& golden)
      : conversion_(conversion), source_(source), golden_(golden) {}

  void read() {
    const bool is_conversation = golden_.find("scenario") != nullptr || golden_.find("turns") != nullptr;
    std::string name = golden_.text_of("name");
    if (name.empty()) name = cut(golden_.text_of(is_conversation ? "scenario" : "input"), 80);
    TestDraft draft = conversion_.begin_test(name, at(golden_));
    draft.test.description = golden_.text_of("comments");
    if (is_conversation) {
      read_conversation(draft);
      read_about(draft, golden_, conversation_keys);
    } else {
      read_single(draft);
      read_about(draft, golden_, single_keys);
    }
    conversion_.finish(std::move(draft), at(golden_));
    if (!log_.entries.empty()) conversion_.finish_log(std::move(log_), at(golden_));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  void read_conversation(TestDraft& draft) {
    std::string goal = golden_.text_of("scenario");
    const std::string person = text_in(golden_, "user_description");
    if (!person.empty()) goal += (goal.empty() ? "" : "\n\n") + ("Who you are: " + person);
    if (goal.empty()) {
      conversion_.note(draft, at(golden_),
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = "scenario",
                        .why = "it is missing"});
    } else {
      conversion_.set_goal(draft, goal, at(golden_), {.source = "scenario"});
    }
    if (const Node* outcome = member_in(golden_, "expected_outcome")) {
      conversion_.check(draft, criterion_of(as_text(*outcome)), at(*outcome),
                        {.source = outcome->key, .text = as_text(*outcome)});
    }
    for (const Node& turn : list_of(golden_.find("turns"))) {
      if (!turn.is_map()) {
        conversion_.note(draft, at(turn),
                         {.outcome = Outcome::not_mapped,
                          .source = "turns",
                          .text = as_text(turn),
                          .why = "a turn must be an object with a role"});
        continue;
      }
      add_tools(log_, turn);
      const std::string text = turn.text_of("content");
      if (!text.empty()) log_.say(turn.text_of("role") == "user", text);
      says_turn_ = !text.empty();
      read_about(draft, turn, turn_keys);
    }
  }

  void read_single(TestDraft& draft) {
    const Node* input = golden_.find("input");
    if (input == nullptr) {
      conversion_.note(draft, at(golden_),
                       {.kind = ItemKind::turn,
                        .outcome = Outcome::not_mapped,
                        .source = "input",
                        .why = "it is missing"});
    } else {
      conversion_.say(draft, as_text(*input), at(*input), {.source = "input"});
    }
    if (const Node* expected = member_in(golden_, "expected_output")) {
      conversion_.check(draft, criterion_says(as_text(*expected), 0), at(*expected),
                        {.outcome = Outcome::approximated,
                         .source = expected->key,
                         .text = as_text(*expected),
                         .why = "the source uses a metric; parley uses a judge"});
    }
    add_expected_tools(draft);
    const std::string answer = text_in(golden_, "actual_output");
    if (input == nullptr || (answer.empty() && list_of(member_in(golden_, "tools_called")).empty())) return;
    log_.say(true, as_text(*input));
    add_tools(log_, golden_);
    if (!answer.empty()) log_.say(false, answer);
  }

  void add_expected_tools(TestDraft& draft) {
    const Node* given = member_in(golden_, "expected_tools");
    const std::vector<Node> tools = list_of(given);
    if (tools.empty()) return;
    Item item{.source = given->key, .text = as_text(*given), .needs = "tool calls as tool entries"};
    const bool has_more = std::any_of(tools.begin(), tools.end(), [](const Node& tool) {
      return tool.first_of({"input_parameters", "inputParameters", "output"}) != nullptr;
    });
    if (has_more) {
      item.outcome = Outcome::approximated;
      item.why = "only the names of the tools are compared, not their arguments and results";
    }
    json::Writer out;
    out.begin_object().member("mode", "superset").key("names").begin_array();
    for (const Node& tool : tools) out.string(name_of_tool(tool));
    out.end_array().end_object();
    Check check;
    check.type = "tool-set";
    check.config = std::move(out).text();
    conversion_.check(draft, std::move(check), at(*given), std::move(item));
  }

  /// Stores metadata, and reports values without a counterpart and unknown keys.
  void read_about(TestDraft& draft, const Node& holder, std::span<const std::string_view> read_keys) {
    const bool is_turn = &holder != &golden_;
    for (const Node& each : holder.items) {
      const std::string key = snake_case(each.key);
      const bool is_empty =
          as_text(each).empty() || ((each.is_list() || each.is_map()) && each.items.empty());
      if (!holder.is_map() || is_empty) continue;
      if (is_one_of(key, contexts)) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::not_mapped,
                          .source = each.key,
                          .text = as_text(each),
                          .why = "the agent supplies its own context"});
      } else if (is_metadata(key) && opened(each).is_map() && (!is_turn || says_turn_)) {
        if (is_turn) {
          add_entry_metadata(opened(each));
        } else {
          add_metadata(draft, opened(each));
        }
        conversion_.note(draft, at(each),
                         {.source = each.key, .text = as_text(each), .became = {"metadata"}});
      } else if (key == "comments" || key.starts_with("source_file")) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::ignored, .source = each.key, .text = as_text(each)});
      } else if (!is_one_of(key, read_keys)) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::not_mapped,
                          .source = each.key,
                          .text = as_text(each),
                          .why = is_turn ? "a log cannot hold it" : "the key is unknown"});
      }
    }
  }

  static bool is_metadata(std::string_view key) {
    return key == "additional_metadata" || key == "custom_column_key_values";
  }

  /// Adds members to the metadata of the message that the turn became.
  void add_entry_metadata(const Node& map) {
    for (const Node& member : map.items)
      set_member(log_.entries.back().metadata, member.key, to_json(member));
  }

  /// Adds members to the metadata. If names are equal, the first member takes precedence.
  void add_metadata(TestDraft& draft, const Node& map) {
    metadata_.kind = Node::Kind::map;
    for (const Node& member : map.items) {
      if (!metadata_.has(member.key)) metadata_.items.push_back(member);
    }
    draft.test.metadata = to_json(metadata_);
  }

  Conversion& conversion_;
  const Source& source_;
  const Node& golden_;
  Node metadata_;
  LogDraft log_;
  bool says_turn_ = false;  ///< the turn that is being read became a message
};

Node row_of(const Table& table, const std::vector<Cell>& cells) {
  Node row;
  row.kind = Node::Kind::map;
  row.place = cells.front().place;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i].text.empty()) continue;
    Node cell;
    cell.kind = Node::Kind::text;
    cell.key = table.headers[i].text;
    cell.text = cells[i].text;
    cell.place = cells[i].place;
    row.items.push_back(std::move(cell));
  }
  return row;
}

bool is_golden(const Node& node) {
  return node.first_of({"scenario", "turns", "input"}) != nullptr;
}

/// The goldens in the lists of a data set; empty: the row is a golden itself.
std::vector<const Node*> goldens_in(const Node& row) {
  std::vector<const Node*> goldens;
  for (const std::string_view key : {"goldens", "conversational_goldens", "conversationalGoldens"}) {
    for (const Node& each : row.list_of(key)) goldens.push_back(&each);
  }
  return goldens;
}

}  // namespace

void add_golden(Conversion& conversion, const Source& source, const Node& golden) {
  GoldenReader(conversion, source, golden).read();
}

void import_deepeval(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    const auto add = [&](const Node& golden) {
      if (is_golden(golden)) return add_golden(conversion, source, golden);
      conversion.faults.add(source, golden.place,
                            "not a DeepEval golden: it has neither \"input\" nor \"scenario\"");
    };
    if (extension_of(source.path) != ".csv") {
      return for_each_row(conversion, source, [&](const Node& row) {
        const std::vector<const Node*> goldens = goldens_in(row);
        if (goldens.empty()) return add(row);
        for (const Node* each : goldens) add(*each);
      });
    }
    const auto table = parse_csv(source, conversion.faults);
    if (!table) return;
    for (const auto& cells : table->rows) add(row_of(*table, cells));
  });
}

int looks_like_deepeval(const std::string& path, std::string_view text, const Node* head) {
  if (head == nullptr) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const bool has_marks = line.find("expected_outcome") != std::string_view::npos ||
                           line.find("retrieval_context") != std::string_view::npos;
    return extension_of(path) == ".csv" && has_marks ? 60 : 0;
  }
  const std::vector<const Node*> goldens = goldens_in(*head);
  const Node& first = !goldens.empty()                          ? *goldens.front()
                      : head->is_list() && !head->items.empty() ? head->items.front()
                                                                : *head;
  if (!goldens.empty() && is_golden(first)) return 80;
  if (first.find("scenario") != nullptr &&
      (first.has("expected_outcome") || first.has("user_description") || first.has("turns")))
    return 80;
  if (first.find("input") == nullptr) return 0;
  if (first.has("context") && (first.has("expected_output") || first.has("actual_output"))) return 80;
  return first.has("actual_output") || first.has("expected_tools") ? 60 : 0;
}

}  // namespace parley::convert
