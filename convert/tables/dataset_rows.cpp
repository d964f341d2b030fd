#include "convert/tables/dataset_rows.hpp"

#include <algorithm>
#include <array>

#include "convert/messages/given_messages.hpp"
#include "convert/tables/table_test.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 2> input_keys{"inputs", "input"};
/// The outputs of an example are its reference, unless the row has one of these.
constexpr std::array<std::string_view, 7> reference_keys{
    "reference_outputs", "referenceOutputs", "expected_outputs", "expectedOutputs",
    "expectedOutput",    "expected_output",  "expectations"};
constexpr std::array<std::string_view, 2> output_keys{"outputs", "output"};
constexpr std::array<std::string_view, 12> own_keys{
    "created_at", "modified_at", "createdAt",   "updatedAt",     "status",        "split",
    "dataset_id", "datasetId",   "datasetName", "source_run_id", "sourceTraceId", "sourceObservationId"};

/// Maximum number of outputs that become one check each if the answer is unknown; more outputs become a single check.
constexpr std::size_t unknown_outputs_max = 16;

// In addition to the headers of tables.
constexpr std::array<std::string_view, 6> more_questions{"messages",     "content", "user_message",
                                                         "user_request", "request", "task"};
constexpr std::array<std::string_view, 8> more_answers{"response", "messages",       "result", "final_answer",
                                                       "content",  "final_response", "text",   "label"};

template <std::size_t Size>
const Node* first_present(const Node& row, const std::array<std::string_view, Size>& keys) {
  for (const std::string_view key : keys) {
    if (const Node* found = row.find(key)) return found;
  }
  return nullptr;
}

bool is_any_of(std::string_view key, auto const&... lists) {
  return ((std::find(lists.begin(), lists.end(), key) != lists.end()) || ...);
}

/// The key of the only member that is a text or a list of messages; empty: none or several.
std::string only_text(const Node& map) {
  std::string found;
  for (const Node& each : map.items) {
    if (!each.is_scalar() && !messages_in_value(each)) continue;
    if (!found.empty()) return {};
    found = each.key;
  }
  return found;
}

std::set<std::string> keys_of(const Node& map) {
  std::set<std::string> keys;
  for (const Node& each : map.items) {
    if (!each.is_null()) keys.insert(each.key);
  }
  return keys;
}

template <std::size_t Size>
std::string known_or_only(const Node& map, std::string known,
                          const std::array<std::string_view, Size>& more) {
  if (!known.empty()) return known;
  if (const Node* found = first_present(map, more)) return found->key;
  return only_text(map);
}

/// Builds the row of one item.
class ItemReader {
 public:
  ItemReader(const Node& item, const Options& options) : item_(item), options_(options) {
    row_ = holder_node(Node::Kind::map, "", item.place);
    columns_.family = "data set";
  }

  void read() {
    if (const Node* input = first_present(item_, input_keys)) read_input(*input);
    const Node* reference = first_present(item_, reference_keys);
    if (reference == nullptr) reference = first_present(item_, output_keys);
    if (reference != nullptr) read_expected(*reference);
    for (const Node& each : item_.items) {
      if (is_any_of(each.key, input_keys) || (reference != nullptr && each.key == reference->key)) continue;
      read_other(each);
    }
    columns_ = with_flags(std::move(columns_), keys_of(row_), options_);
  }

  [[nodiscard]] const Node& row() const { return row_; }
  [[nodiscard]] const Columns& columns() const { return columns_; }

 private:
  void read_input(const Node& input) {
    const Node inner = unquoted(opened(input));
    if (!inner.is_map() || messages_in_value(inner)) {
      add_cell(inner, "input");
      columns_.say = {input.key};
      return;
    }
    if (inner.first_of({"args", "kwargs"}) != nullptr) return read_arguments(inner);
    read_members(inner);
  }

  /// Reads the arguments of a traced function.
  void read_arguments(const Node& call) {
    Node members = holder_node(Node::Kind::map, "", call.place);
    if (const Node* named = call.find("kwargs"); named != nullptr && named->is_map()) members = *named;
    const std::vector<Node>& list = call.list_of("args");
    for (std::size_t i = 0; i < list.size(); ++i)
      members.items.push_back(renamed(list[i], i == 0 ? "args" : "args." + std::to_string(i)));
    read_members(members);
    if (!list.empty()) columns_.say = {"args"};
  }

  void read_members(const Node& inner) {
    const std::string question = known_or_only(inner, question_in(keys_of(inner)), more_questions);
    if (!question.empty()) columns_.say = {question};
    for (const Node& each : inner.items) {
      if (is_any_of(each.key, std::array<std::string_view, 2>{"history", "chat_history"}) &&
          each.key != question)
        columns_.history = each.key;
      add_cell(each, "input");
    }
  }

  void read_expected(const Node& given) {
    const Node inner = unquoted(opened(given));
    if (!inner.is_map() || messages_in_value(inner)) {
      add_cell(inner, "item");
      columns_.expect = {{row_.items.back().key, Expectation::by_length, {}}};
      return;
    }
    const std::string answer = known_or_only(inner, answer_in(keys_of(inner)), more_answers);
    if (answer.empty() && inner.items.size() > unknown_outputs_max) {
      add_cell(text_node(given.key, as_text(inner), given.place), "item");
      columns_.expect = {{row_.items.back().key, Expectation::type, "criteria"}};
      return;
    }
    for (const Node& each : inner.items) {
      const bool is_unknown = answer.empty() && !each.is_null();
      add_cell(is_unknown ? text_node(each.key, each.key + ": " + as_text(each), each.place) : each,
               given.key);
      const std::string& name = row_.items.back().key;
      if (is_unknown) {
        columns_.expect.push_back({name, Expectation::type, "criteria"});
      } else if (each.key == answer) {
        columns_.expect = {{name, Expectation::by_length, {}}};
      } else {
        columns_.references.push_back(name);
      }
    }
  }

  void read_other(const Node& member) {
    const Node inner = opened(member);
    if (member.key == "metadata" && inner.is_map()) columns_.metadata = "metadata";
    if (is_any_of(member.key, own_keys, output_keys)) columns_.ignored.push_back(member.key);
    add_cell(inner, "item");
  }

  /// Adds a cell. If the name is already taken, it gets the prefix.
  void add_cell(const Node& cell, const std::string& prefix) {
    const bool is_new = taken_.insert(cell.key).second;
    row_.items.push_back(is_new ? cell : renamed(cell, prefix + "." + cell.key));
  }

  const Node& item_;
  const Options& options_;
  Node row_;
  std::set<std::string> taken_;  ///< names of cells
  Columns columns_;
};

}  // namespace

bool is_dataset_item(const Node& row) {
  // LangSmith runs also have inputs and outputs.
  const bool is_run = row.first_of({"run_type", "dotted_order", "trace_id", "parent_run_id", "child_runs",
                                    "start_time"}) != nullptr;
  if (!row.is_map() || is_run) return false;
  const Node* inputs = row.find("inputs");
  if (inputs != nullptr && opened(*inputs).is_map())
    return first_present(row, reference_keys) != nullptr || row.has("outputs") || row.has("dataset_id") ||
           row.items.size() == 1;
  return row.has("input") && (row.has("expectedOutput") || row.has("datasetId"));
}

bool are_dataset_items(const std::vector<Node>& rows) {
  bool is_nested = false;
  for (const Node& row : rows) {
    if (is_dataset_item(row)) continue;
    const Node* input = first_present(row, input_keys);
    if (input == nullptr || as_text(*input).empty()) continue;
    // An instruction or a question is the user's text, and the input next to it may be any JSON.
    const bool is_said = question_in(keys_of(row)) != input->key && input->key != "inputs";
    if (is_said || !opened(*input).is_map()) return false;
    is_nested = true;
  }
  return is_nested || (!rows.empty() && std::all_of(rows.begin(), rows.end(), is_dataset_item));
}

void add_dataset_item(Conversion& conversion, const Source& source, const Node& item) {
  ItemReader reader(item, conversion.options);
  reader.read();
  add_table_test(conversion, source, reader.columns(), {&reader.row()});
}

}  // namespace parley::convert
