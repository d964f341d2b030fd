// LangSmith: runs (single runs, lists, and batches of `post` and `patch`), and examples of data sets.

#include <algorithm>
#include <map>

#include "convert/messages/rows.hpp"
#include "convert/tables/dataset_rows.hpp"
#include "convert/tables/tables.hpp"
#include "convert/traces/conversation.hpp"
#include "convert/traces/langfuse.hpp"
#include "convert/traces/message_lists.hpp"
#include "convert/traces/nesting.hpp"
#include "convert/traces/times.hpp"

namespace parley::convert {
namespace {

/// Replaces members of the run with those of `patch`.
void patch_run(Node& run, const Node& patch) {
  for (const Node& member : patch.items) {
    if (member.is_null()) continue;
    const auto found = std::find_if(run.items.begin(), run.items.end(),
                                    [&](const Node& each) { return each.key == member.key; });
    if (found == run.items.end()) {
      run.items.push_back(member);
    } else {
      *found = member;
    }
  }
}

/// Runs in file order. Runs with the same id are merged.
class Runs {
 public:
  void add(const Node& run) {
    std::string id;
    for (const std::string_view key : {"id", "dotted_order"}) {
      if (id.empty() && !run.text_of(key).empty()) id = std::string(key) + ":" + run.text_of(key);
    }
    const auto [known, is_new] = by_id_.try_emplace(id, runs_.size());
    if (is_new || id.empty()) {
      runs_.push_back(run);
    } else {
      patch_run(runs_[known->second], run);
    }
    for (const Node& child : run.list_of("child_runs")) add(child);
  }

  [[nodiscard]] const std::vector<Node>& all() const { return runs_; }

 private:
  std::vector<Node> runs_;
  std::map<std::string, std::size_t> by_id_;
};

void collect(Runs& runs, const Node& node) {
  if (node.find("post") != nullptr || node.find("patch") != nullptr) {
    for (const std::string_view key : {"post", "patch"}) {
      for (const Node& each : node.list_of(key)) runs.add(each);
    }
  } else if (node.first_of({"run_type", "inputs"}) != nullptr) {
    runs.add(node);
  } else if (const Node* inner = node.find("runs"); inner != nullptr && inner->is_list()) {
    for (const Node& each : inner->items) runs.add(each);
  }
}

std::optional<Node> value_in(const Node& run, std::string_view key) {
  const Node* found = run.find(key);
  if (found == nullptr) return std::nullopt;
  if (found->is_map() && found->items.size() == 1 &&
      (found->items.front().key == "input" || found->items.front().key == "output"))
    return found->items.front();
  return *found;
}

/// Joins the chunks of a stream into one message.
std::optional<Node> joined_chunks(const Node& outputs) {
  const Node* list = outputs.is_list() ? &outputs : outputs.first_of({"output", "outputs", "chunks"});
  if (list == nullptr || !list->is_list() || list->items.empty()) return std::nullopt;
  std::string text;
  for (const Node& chunk : list->items) {
    const std::vector<Node>& choices = chunk.list_of("choices");
    const Node* delta = choices.empty() ? nullptr : choices.front().find("delta");
    if (delta == nullptr && chunk.text_of("object").find("chunk") == std::string::npos) return std::nullopt;
    if (delta != nullptr) text += delta->text_of("content");
  }
  return message_node("assistant", text_node("content", text, list->place));
}

Members run_usage(const Node& run) {
  Members about;
  const Node* outputs = run.find("outputs");
  const Node* usage = outputs == nullptr ? nullptr : outputs->first_of({"usage_metadata", "usage"});
  std::string model = outputs == nullptr ? std::string() : outputs->text_of("model");
  const Node* extra = run.find("extra");
  const Node* metadata = extra == nullptr ? nullptr : extra->find("metadata");
  if (model.empty() && metadata != nullptr) model = metadata->text_of("ls_model_name");
  if (!model.empty()) set_member(about, "model", json_text(model));
  const Node& counts = usage == nullptr ? run : *usage;
  const Node* input = counts.first_of({"input_tokens", "prompt_tokens"});
  const Node* output = counts.first_of({"output_tokens", "completion_tokens"});
  if (input != nullptr) set_member(about, "inputTokens", to_json(*input));
  if (output != nullptr) set_member(about, "outputTokens", to_json(*output));
  return about;
}

/// Adds the feedback and the error of a run, and the tags of the root. Runs inside others have tags of the framework.
void take_unkept_of_run(const Node& run, Unkept& unkept) {
  unkept.take(run, "feedback_stats", "a log has no place for feedback");
  if (run.text_of("run_type") != "tool") unkept.take(run, "error", "only tool calls have an error in a log");
  if (run.text_of("parent_run_id").empty()) unkept.take(run, "tags", "a log has no tags");
}

void add_trace(Conversion& conversion, const Source& source, const std::string& id,
               const std::vector<const Node*>& runs) {
  LogDraft log;
  log.id = id;
  std::vector<ModelCall> models;
  std::vector<ToolCall> tools;
  Unkept unkept;
  Nesting nesting;
  for (const Node* run : runs)
    nesting.add(run->text_of("id"), run->text_of("parent_run_id"), run->text_of("run_type") == "tool");
  for (const Node* run : runs) {
    const std::string type = run->text_of("run_type");
    take_unkept_of_run(*run, unkept);
    if (type == "tool") {
      tools.push_back({{},
                       run->text_of("name"),
                       value_in(*run, "inputs"),
                       value_in(*run, "outputs"),
                       run->text_of("error"),
                       std::nullopt,
                       time_of(run->text_of("start_time"))});
      continue;
    }
    const Node* inputs = run->find("inputs");
    const Node* outputs = run->find("outputs");
    ModelCall call;
    if (inputs != nullptr) call.input = input_messages(*inputs);
    if (outputs != nullptr) {
      const auto joined = joined_chunks(*outputs);
      call.output = joined ? std::vector<Node>{*joined} : output_messages(*outputs);
    }
    call.order =
        run->text_of("dotted_order").empty() ? run->text_of("start_time") : run->text_of("dotted_order");
    call.begin = time_of(run->text_of("start_time"));
    call.about = run_usage(*run);
    call.is_agent = type != "llm";
    call.is_in_tool = nesting.is_in_tool(run->text_of("id"));
    models.push_back(std::move(call));
  }
  unkept.report(conversion, source, conversion.external_id(log.id));
  fill_from_calls(conversion, source, log, models, tools);
  finish_trace(conversion, std::move(log), {source, runs.front()->place},
               {"run", "no messages were recorded in it"});
}

bool is_run(const Node& node) {
  return node.find("post") != nullptr || node.find("patch") != nullptr ||
         (node.first_of({"run_type", "dotted_order"}) != nullptr && node.find("inputs") != nullptr);
}

/// Adds the example, or the examples in `{"examples": [...]}`. False: the row is not an example.
bool add_examples(Conversion& conversion, const Source& source, const Node& row) {
  const std::vector<Node>& list = row.list_of("examples");
  const bool is_list = !list.empty() && is_dataset_item(list.front());
  if (!is_list && !is_dataset_item(row)) return false;
  if (!is_list) add_dataset_item(conversion, source, row);
  for (const Node& each : list) add_dataset_item(conversion, source, each);
  return true;
}

void add_traces(Conversion& conversion, const Source& source, const std::vector<Node>& runs) {
  std::vector<std::pair<std::string, std::vector<const Node*>>> traces;
  std::map<std::string, std::size_t> known;
  for (const Node& run : runs) {
    std::string id = run.text_of("trace_id");
    if (id.empty()) id = run.text_of("id");
    const auto [place, is_new] = known.try_emplace(id, traces.size());
    if (is_new) traces.push_back({id, {}});
    traces[place->second].second.push_back(&run);
  }
  for (const auto& [id, list] : traces) add_trace(conversion, source, id, list);
}

/// Whether the first line has the columns of a table of runs.
bool is_header_of_runs(std::string_view text) {
  const std::string_view header = text.substr(0, text.find('\n'));
  const auto has = [&](std::string_view column) { return header.find(column) != std::string_view::npos; };
  return has("run_type") && has("inputs") && has("outputs");
}

/// Imports a table of runs, whose inputs and outputs are JSON, or any other table.
void import_table_of_runs(Conversion& conversion, const Source& source) {
  if (!is_header_of_runs(source.text)) return import_csv(conversion, source);
  const auto rows = csv_rows(conversion, source);
  if (!rows) return;
  Runs runs;
  for (const Node& row : *rows) runs.add(row);
  add_traces(conversion, source, runs.all());
}

}  // namespace

void import_langsmith(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    if (is_csv(source.path)) return import_table_of_runs(conversion, source);
    Runs runs;
    bool has_examples = false;
    for_each_row(conversion, source, [&](const Node& row) {
      if (add_examples(conversion, source, row)) {
        has_examples = true;
      } else {
        collect(runs, row);
      }
    });
    if (runs.all().empty() && !has_examples && conversion.faults.empty()) {
      conversion.faults.add(source, {1, 1},
                            "not runs or examples of LangSmith: there is neither \"run_type\" with "
                            "\"inputs\", nor \"post\", nor \"inputs\" with \"outputs\"");
      return;
    }
    add_traces(conversion, source, runs.all());
  });
}

int looks_like_langsmith(const std::string& path, std::string_view text, const Node* head) {
  if (is_csv(path)) return is_header_of_runs(text) ? 80 : 0;
  if (head == nullptr) return 0;
  const Node& first = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  const std::vector<Node>& runs = first.list_of("runs");
  if (is_run(runs.empty() ? first : runs.front())) return 80;
  const std::vector<Node>& examples = first.list_of("examples");
  const Node& example = examples.empty() ? first : examples.front();
  return example.find("inputs") != nullptr && is_dataset_item(example) ? 70 : 0;
}

}  // namespace parley::convert
