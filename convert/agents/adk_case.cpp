#include "convert/agents/adk_case.hpp"

#include <algorithm>

namespace parley::convert {
namespace {

/// The texts of the parts of a content, joined with newlines.
std::string text_of(const Node* content, bool* has_files = nullptr) {
  if (content == nullptr) return {};
  if (content->is_scalar()) return content->text;
  std::string text;
  for (const Node& part : content->list_of("parts")) {
    const std::string piece = part.text_of("text");
    if (!piece.empty()) text += (text.empty() ? "" : "\n") + piece;
    const bool is_file = part.first_of({"inline_data", "file_data", "inlineData", "fileData"}) != nullptr;
    if (is_file && has_files != nullptr) *has_files = true;
  }
  return text;
}

AdkCall call_of(const Node& node) {
  AdkCall call;
  call.place = node.place;
  call.name = node.text_of("name").empty() ? node.text_of("tool_name") : node.text_of("name");
  call.id = node.text_of("id");
  if (const Node* arguments = node.first_of({"args", "tool_input", "arguments"}))
    call.arguments = to_json(*arguments);
  if (const Node* result = node.first_of({"mock_tool_output", "tool_output"})) call.result = to_json(*result);
  call.is_mocked = node.find("mock_tool_output") != nullptr;
  return call;
}

/// Assigns a recorded response to its call: by id, else to the first call of that name without a result.
void take_response(std::vector<AdkCall>& calls, const Node& response) {
  const std::string id = response.text_of("id");
  const std::string name = response.text_of("name");
  const Node* value = response.first_of({"response", "result"});
  const auto fits = [&](const AdkCall& call) {
    return call.result.empty() && (id.empty() || call.id.empty() ? call.name == name : call.id == id);
  };
  const auto found = std::find_if(calls.begin(), calls.end(), fits);
  if (found == calls.end() || value == nullptr) return;
  // ADK responses are objects; other results are wrapped as {"result": ...}.
  const bool is_wrapped = value->is_map() && value->items.size() == 1 && value->items.front().key == "result";
  found->result = to_json(is_wrapped ? value->items.front() : *value);
}

/// Reads the events of an invocation: contents whose parts are tool calls, tool responses or texts.
void take_events(const std::vector<Node>& events, AdkTurn& turn) {
  for (const Node& event : events) {
    const Node* content = event.find("content");
    if (content == nullptr) continue;
    for (const Node& part : content->list_of("parts")) {
      if (const Node* call = part.first_of({"function_call", "functionCall"}))
        turn.calls.push_back(call_of(*call));
      if (const Node* response = part.first_of({"function_response", "functionResponse"}))
        take_response(turn.calls, *response);
      if (std::string text = part.text_of("text"); !text.empty())
        turn.intermediate.push_back(std::move(text));
    }
  }
}

void take_intermediate(const Node& data, AdkTurn& turn) {
  turn.lists_calls = data.has("tool_uses") || data.has("toolUses") || data.has("invocation_events") ||
                     data.has("invocationEvents");
  for (const std::string_view key : {"tool_uses", "toolUses"}) {
    for (const Node& each : data.list_of(key)) turn.calls.push_back(call_of(each));
  }
  for (const std::string_view key : {"tool_responses", "toolResponses"}) {
    for (const Node& each : data.list_of(key)) take_response(turn.calls, each);
  }
  for (const std::string_view key : {"intermediate_responses", "intermediateResponses"}) {
    for (const Node& each : data.list_of(key)) {
      // A pair of author and parts.
      if (!each.is_list() || each.items.size() < 2) continue;
      std::string text;
      for (const Node& part : each.items[1].items) text += part.text_of("text");
      if (!text.empty()) turn.intermediate.push_back(std::move(text));
    }
  }
  for (const std::string_view key : {"invocation_events", "invocationEvents"})
    take_events(data.list_of(key), turn);
}

AdkTurn new_turn(const Node& invocation) {
  AdkTurn turn;
  turn.place = invocation.place;
  turn.text = text_of(invocation.first_of({"user_content", "userContent"}), &turn.has_files);
  const Node* final = invocation.first_of({"final_response", "finalResponse"});
  turn.reference = text_of(final);
  turn.reference_place = final == nullptr ? invocation.place : final->place;
  if (const Node* data = invocation.first_of({"intermediate_data", "intermediateData"}))
    take_intermediate(*data, turn);
  for (const Node& rubric : invocation.list_of("rubrics")) turn.rubrics.push_back(&rubric);
  return turn;
}

AdkTurn old_turn(const Node& node) {
  AdkTurn turn;
  turn.place = node.place;
  turn.text = node.text_of("query");
  const Node* reference = node.find("reference");
  turn.reference = reference == nullptr ? std::string() : as_text(*reference);
  turn.reference_place = reference == nullptr ? node.place : reference->place;
  turn.lists_calls = node.has("expected_tool_use");
  for (const Node& each : node.list_of("expected_tool_use")) turn.calls.push_back(call_of(each));
  for (const Node& each : node.list_of("expected_intermediate_agent_responses"))
    turn.intermediate.push_back(each.text_of("text"));
  return turn;
}

AdkCase new_case(const Node& node) {
  AdkCase out;
  out.place = node.place;
  for (const std::string_view key : {"eval_id", "evalId"}) {
    if (out.id.empty()) out.id = node.text_of(key);
  }
  for (const Node& invocation : node.list_of("conversation")) out.turns.push_back(new_turn(invocation));
  const Node* session = node.first_of({"session_input", "sessionInput"});
  out.state = session == nullptr ? nullptr : session->find("state");
  out.final_state = node.first_of({"final_session_state", "finalSessionState"});
  out.scenario = node.first_of({"conversation_scenario", "conversationScenario"});
  for (const Node& rubric : node.list_of("rubrics")) out.rubrics.push_back(&rubric);
  return out;
}

AdkCase old_case(const std::string& id, const std::vector<Node>& turns, Place place) {
  AdkCase out;
  out.id = id;
  out.place = place;
  for (const Node& each : turns) out.turns.push_back(old_turn(each));
  return out;
}

}  // namespace

std::vector<AdkCase> adk_cases(const Node& file, const std::string& stem) {
  std::vector<AdkCase> cases;
  for (const std::string_view key : {"eval_cases", "evalCases"}) {
    for (const Node& each : file.list_of(key)) cases.push_back(new_case(each));
  }
  for (const Node& each : file.list_of("scenarios")) {
    if (each.first_of({"starting_prompt", "startingPrompt"}) == nullptr) continue;
    AdkCase out;
    out.id = stem;
    out.scenario = &each;
    out.place = each.place;
    cases.push_back(std::move(out));
  }
  if (!file.is_list() || file.items.empty()) return cases;
  if (file.items.front().find("query") != nullptr) {
    cases.push_back(old_case(stem, file.items, file.place));
    return cases;
  }
  for (const Node& each : file.items) {
    if (each.find("data") == nullptr) continue;
    cases.push_back(old_case(each.text_of("name"), each.list_of("data"), each.place));
    const Node* session = each.find("initial_session");
    cases.back().state = session == nullptr ? nullptr : session->find("state");
  }
  return cases;
}

}  // namespace parley::convert
