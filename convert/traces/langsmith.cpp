// Runs of LangSmith: single ones, lists, and batches of `post` and `patch`.

#include <algorithm>

#include "convert/messages/rows.hpp"
#include "convert/traces/conversation.hpp"
#include "convert/traces/langfuse.hpp"
#include "convert/traces/message_lists.hpp"

namespace parley::convert {
namespace {

/// Members of `patch` replace those of the run.
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

void add_run(std::vector<Node>& runs, const Node& run) {
  const auto same = [&](const Node& each) {
    for (const std::string_view key : {"id", "dotted_order"}) {
      const std::string value = run.text_of(key);
      if (!value.empty()) return each.text_of(key) == value;
    }
    return false;
  };
  const auto found = std::find_if(runs.begin(), runs.end(), same);
  if (found == runs.end()) {
    runs.push_back(run);
  } else {
    patch_run(*found, run);
  }
  for (const Node& child : run.list_of("child_runs")) add_run(runs, child);
}

void collect(std::vector<Node>& runs, const Node& node) {
  if (node.find("post") != nullptr || node.find("patch") != nullptr) {
    for (const std::string_view key : {"post", "patch"}) {
      for (const Node& each : node.list_of(key)) add_run(runs, each);
    }
  } else if (node.first_of({"run_type", "inputs"}) != nullptr) {
    add_run(runs, node);
  } else if (const Node* inner = node.find("runs"); inner != nullptr && inner->is_list()) {
    for (const Node& each : inner->items) add_run(runs, each);
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

/// Chunks of a stream joined to one message.
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
  if (outputs != nullptr && !outputs->text_of("model").empty())
    set_member(about, "model", json_text(outputs->text_of("model")));
  if (usage == nullptr) return about;
  const Node* input = usage->first_of({"input_tokens", "prompt_tokens"});
  const Node* output = usage->first_of({"output_tokens", "completion_tokens"});
  if (input != nullptr) set_member(about, "inputTokens", to_json(*input));
  if (output != nullptr) set_member(about, "outputTokens", to_json(*output));
  return about;
}

void add_trace(Conversion& conversion, const Source& source, const std::string& id,
               const std::vector<const Node*>& runs) {
  LogDraft log;
  log.id = id;
  std::vector<ModelCall> models;
  std::vector<ToolCall> tools;
  for (const Node* run : runs) {
    const std::string type = run->text_of("run_type");
    if (type == "tool") {
      tools.push_back({{},
                       run->text_of("name"),
                       value_in(*run, "inputs"),
                       value_in(*run, "outputs"),
                       run->text_of("error"),
                       std::nullopt});
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
    call.about = run_usage(*run);
    call.is_agent = type != "llm";
    models.push_back(std::move(call));
  }
  fill_from_calls(conversion, source, log, models, tools);
  finish_trace(conversion, std::move(log), {source, runs.front()->place},
               {"run", "no messages were recorded in it"});
}

bool is_run(const Node& node) {
  return node.find("post") != nullptr || node.find("patch") != nullptr ||
         (node.first_of({"run_type", "dotted_order"}) != nullptr && node.find("inputs") != nullptr);
}

}  // namespace

void import_langsmith(Conversion& conversion) {
  for_each_source(conversion, [&](const Source& source) {
    std::vector<Node> runs;
    for_each_row(conversion, source, [&](const Node& row) { collect(runs, row); });
    if (runs.empty() && conversion.faults.empty()) {
      conversion.faults.add(
          source, {1, 1},
          "not runs of LangSmith: there is neither \"run_type\" with \"inputs\" nor \"post\"");
      return;
    }
    std::vector<std::pair<std::string, std::vector<const Node*>>> traces;
    for (const Node& run : runs) {
      std::string id = run.text_of("trace_id");
      if (id.empty()) id = run.text_of("id");
      auto found =
          std::find_if(traces.begin(), traces.end(), [&](const auto& each) { return each.first == id; });
      if (found == traces.end()) found = traces.insert(traces.end(), {id, {}});
      found->second.push_back(&run);
    }
    for (const auto& [id, list] : traces) add_trace(conversion, source, id, list);
  });
}

int looks_like_langsmith(const std::string& /*path*/, std::string_view /*text*/, const Node* head) {
  if (head == nullptr) return 0;
  const Node& first = head->is_list() && !head->items.empty() ? head->items.front() : *head;
  return is_run(first) ? 80 : 0;
}

}  // namespace parley::convert
