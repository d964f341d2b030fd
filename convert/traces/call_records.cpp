#include "convert/traces/call_records.hpp"

#include <algorithm>

#include "convert/reading/python_literal.hpp"
#include "convert/traces/message_lists.hpp"

namespace parley::convert {
namespace {

/// The content of the only message on that side; null unless there is exactly one.
const Node* only_content(const Node& body, std::string_view side) {
  const Node* holder = body.find(side);
  if (holder == nullptr || holder->list_of("messages").size() != 1) return nullptr;
  return holder->list_of("messages").front().find("content");
}

/// Whether all messages are tool results. Such a record is that of a tool, whose call is also in the records of the
/// model.
bool is_of_tool(const std::vector<Node>& messages) {
  return !messages.empty() && std::all_of(messages.begin(), messages.end(),
                                          [](const Node& each) { return each.text_of("role") == "tool"; });
}

}  // namespace

// A content may be wrapped as `{"content": ...}` or `{"message": ...}`.
bool take_call_record(const Attributes& attributes, ModelCall& call) {
  const auto found = attributes.find("body");
  if (found == attributes.end()) return false;
  const Node body = opened(found->second);
  const Node* asked = body.find("input");
  if (asked != nullptr && is_of_tool(asked->list_of("messages"))) return true;
  bool is_taken = false;
  for (const std::string_view side : {"input", "output"}) {
    const Node* holder = body.find(side);
    if (holder == nullptr || holder->list_of("messages").empty()) continue;
    is_taken = true;
    for (Node message : holder->list_of("messages")) {
      for (Node& member : message.items) {
        if (member.key != "content") continue;
        const Node* inner = member.first_of({"content", "message"});
        member = opened_member(inner != nullptr ? renamed(*inner, "content") : member);
      }
      std::vector<Node>& into = side == "input" ? call.input : call.output;
      const Node* content = message.find("content");
      const Node inner = content == nullptr ? Node{} : opened(*content);
      if (inner.first_of({"messages", "generations"}) == nullptr) {
        into.push_back(std::move(message));
        continue;
      }
      // LangChain: the content is the whole input or output of a run.
      for (Node& each : side == "input" ? input_messages(inner) : output_messages(inner))
        into.push_back(std::move(each));
    }
  }
  return is_taken;
}

std::optional<ToolCall> tool_of_records(const Span& span) {
  for (const SpanEvent& event : span.events) {
    const auto found = event.attributes.find("body");
    if (found == event.attributes.end()) continue;
    const Node body = opened(found->second);
    const Node* output = only_content(body, "output");
    if (output == nullptr) continue;
    const Node message = opened(*output);
    if (message.text_of("type") != "tool" || message.text_of("name").empty()) continue;
    ToolCall call;
    call.id = message.text_of("tool_call_id");
    call.name = message.text_of("name");
    if (const Node* input = only_content(body, "input")) call.arguments = opened_literal(*input);
    if (const Node* result = message.find("content")) call.result = *result;
    if (message.text_of("status") == "error") call.error = "error";
    call.order = span.begin;
    return call;
  }
  return std::nullopt;
}

}  // namespace parley::convert
