#include "convert/agents/deepeval.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/rows.hpp"
#include "convert/reading/csv.hpp"
#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 4> contexts{"context", "retrieval_context", "retrieval_contexts",
                                                   "contexts"};
constexpr std::array<std::string_view, 15> known_keys{"scenario",
                                                      "user_description",
                                                      "expected_outcome",
                                                      "turns",
                                                      "name",
                                                      "comments",
                                                      "input",
                                                      "expected_output",
                                                      "actual_output",
                                                      "expected_tools",
                                                      "tools_called",
                                                      "additional_metadata",
                                                      "source_file",
                                                      "source_files",
                                                      "custom_column_key_values"};

/// The items of a list, of the JSON text of a list, or of a CSV cell separated by `|`.
std::vector<Node> list_of(const Node* given) {
  if (given == nullptr) return {};
  const Node inner = opened(*given);
  if (inner.is_list()) return inner.items;
  std::vector<Node> items;
  std::string_view left = given->text;
  while (!left.empty()) {
    const std::size_t bar = left.find('|');
    Node item = *given;
    item.text = left.substr(0, bar);
    items.push_back(std::move(item));
    left = bar == std::string_view::npos ? std::string_view() : left.substr(bar + 1);
  }
  return items;
}

void add_tools(LogDraft& log, const Node& holder) {
  for (const Node& tool : list_of(holder.find("tools_called"))) {
    Members about;
    if (const Node* arguments = tool.first_of({"input_parameters", "inputParameters", "input"}))
      set_member(about, "arguments", to_json(*arguments));
    if (const Node* output = tool.find("output")) set_member(about, "result", to_json(*output));
    const std::string name = tool.is_map() ? tool.text_of("name") : as_text(tool);
    if (!name.empty()) log.call(name, std::move(about));
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
    } else {
      read_single(draft);
    }
    read_about(draft, golden_);
    conversion_.finish(std::move(draft), at(golden_));
    if (!log_.entries.empty()) conversion_.finish_log(std::move(log_), at(golden_));
  }

 private:
  [[nodiscard]] At at(const Node& node) const { return {source_, node.place}; }

  void read_conversation(TestDraft& draft) {
    std::string goal = golden_.text_of("scenario");
    const std::string person = golden_.text_of("user_description");
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
    if (const Node* outcome = golden_.find("expected_outcome");
        outcome != nullptr && !as_text(*outcome).empty()) {
      conversion_.check(draft, criterion_of(as_text(*outcome)), at(*outcome),
                        {.source = "expected_outcome", .text = as_text(*outcome)});
    }
    for (const Node& turn : list_of(golden_.find("turns"))) {
      add_tools(log_, turn);
      const std::string text = turn.text_of("content");
      if (!text.empty()) log_.say(turn.text_of("role") == "user", text);
      read_about(draft, turn);
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
    if (const Node* expected = golden_.find("expected_output");
        expected != nullptr && !as_text(*expected).empty()) {
      conversion_.check(draft, criterion_says(as_text(*expected), 0), at(*expected),
                        {.outcome = Outcome::approximated,
                         .source = "expected_output",
                         .text = as_text(*expected),
                         .why = "the source uses a metric; parley uses a judge"});
    }
    add_expected_tools(draft);
    const Node* actual = golden_.find("actual_output");
    if (input == nullptr || actual == nullptr || as_text(*actual).empty()) return;
    log_.say(true, as_text(*input));
    add_tools(log_, golden_);
    log_.say(false, as_text(*actual));
  }

  void add_expected_tools(TestDraft& draft) {
    const std::vector<Node> tools = list_of(golden_.find("expected_tools"));
    if (tools.empty()) return;
    json::Writer out;
    out.begin_object().member("mode", "superset").key("names").begin_array();
    for (const Node& tool : tools) out.string(tool.is_map() ? tool.text_of("name") : as_text(tool));
    out.end_array().end_object();
    Check check;
    check.type = "tool-set";
    check.config = std::move(out).text();
    conversion_.check(draft, std::move(check), at(*golden_.find("expected_tools")),
                      {.source = "expected_tools", .needs = "tool calls as tool entries"});
  }

  /// Stores metadata, and reports values without a counterpart and unknown keys.
  void read_about(TestDraft& draft, const Node& holder) {
    const bool is_turn = &holder != &golden_;
    for (const Node& each : holder.items) {
      const bool is_empty =
          as_text(each).empty() || ((each.is_list() || each.is_map()) && each.items.empty());
      if (!holder.is_map() || is_empty) continue;
      if (std::find(contexts.begin(), contexts.end(), each.key) != contexts.end()) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::not_mapped,
                          .source = each.key,
                          .text = as_text(each),
                          .why = "the agent supplies its own context"});
      } else if (is_metadata(each.key) && opened(each).is_map() && !is_turn) {
        add_metadata(draft, opened(each));
        conversion_.note(draft, at(each),
                         {.source = each.key, .text = as_text(each), .became = {"metadata"}});
      } else if (each.key == "comments" || each.key.starts_with("source_file")) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::ignored, .source = each.key, .text = as_text(each)});
      } else if (!is_turn && std::find(known_keys.begin(), known_keys.end(), each.key) == known_keys.end()) {
        conversion_.note(draft, at(each),
                         {.outcome = Outcome::not_mapped,
                          .source = each.key,
                          .text = as_text(each),
                          .why = "the key is unknown"});
      }
    }
  }

  static bool is_metadata(std::string_view key) {
    return key == "additional_metadata" || key == "custom_column_key_values";
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
        const std::vector<Node>& goldens = row.list_of("goldens");
        if (goldens.empty()) return add(row);
        for (const Node& each : goldens) add(each);
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
  const Node& first = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  if (first.find("scenario") != nullptr &&
      (first.has("expected_outcome") || first.has("user_description") || first.has("turns")))
    return 80;
  if (first.find("input") == nullptr) return 0;
  if (first.has("context") && (first.has("expected_output") || first.has("actual_output"))) return 80;
  return first.has("actual_output") || first.has("expected_tools") ? 60 : 0;
}

}  // namespace parley::convert
