#include "convert/messages/given_messages.hpp"

#include <algorithm>

#include "convert/messages/message_shapes.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The message without the wrapper of LangChain, which has the members in `kwargs` (then the class is the last item of
/// `id`) or in `data`.
const Node& inner_message(const Node& message) {
  const Node* inner = message.first_of({"kwargs", "data"});
  return inner != nullptr && inner->is_map() && inner->has("content") ? *inner : message;
}

/// user, assistant, system or tool; other roles in lowercase.
std::string role_of(const Node& message) {
  std::string role;
  for (const std::string_view key : {"role", "from", "type"}) {
    if (role.empty()) role = ascii::lower(message.text_of(key));
  }
  const std::vector<Node>& path = message.list_of("id");
  if (!path.empty() && message.find("kwargs") != nullptr) role = ascii::lower(path.back().text);
  if (role == "user" || role.starts_with("human")) return "user";
  if (role.starts_with("ai") || role == "gpt" || role == "model" || role == "bot") return "assistant";
  if (role.starts_with("system")) return "system";
  return role.starts_with("tool") || role == "function" || role == "observation" ? "tool" : role;
}

const Node* content_of(const Node& message) {
  return inner_message(message).first_of({"content", "value", "parts"});
}

bool is_message(const Node& node) {
  if (!node.is_map()) return false;
  if (node.first_of({"role", "from"}) != nullptr)
    return node.has("content") || node.has("value") || node.has("parts") || node.has("tool_calls");
  const bool is_wrapped = &inner_message(node) != &node;
  const std::string role = role_of(node);
  return (is_wrapped || node.has("content")) &&
         (role == "user" || role == "assistant" || role == "system" || role == "tool");
}

bool is_users(const Node& message) {
  return role_of(message) == "user";
}

/// The text of a content. Texts of its parts are joined with newlines.
std::string text_of_content(const Node& content) {
  if (!content.is_list()) return as_text(content);
  std::string text;
  for (const Node& part : content.items) {
    std::string more = part.is_map() ? part.text_of("text") : as_text(part);
    if (more.empty()) more = part.text_of("refusal");
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  }
  return text;
}

/// The text of a message, or the refusal that OpenAI records instead of a text.
std::string text_of_message(const Node& message) {
  const Node* content = content_of(message);
  std::string text = content == nullptr ? std::string() : text_of_content(*content);
  return text.empty() ? inner_message(message).text_of("refusal") : text;
}

/// The tool calls of a message, which are its own members or parts of its content.
std::vector<const Node*> calls_of_message(const Node& message) {
  const Node& inner = inner_message(message);
  const Node* extra = inner.find("additional_kwargs");
  const bool is_extra = inner.list_of("tool_calls").empty() && extra != nullptr;
  std::vector<const Node*> calls;
  for (const Node& each : (is_extra ? *extra : inner).list_of("tool_calls")) calls.push_back(&each);
  if (const Node* single = inner.find("function_call"); single != nullptr && single->is_map())
    calls.push_back(single);
  const Node* content = content_of(message);
  if (content == nullptr || !content->is_list()) return calls;
  for (const Node& part : content->items) {
    const Node* call = part.first_of({"functionCall", "function_call", "toolUse"});
    if (call == nullptr && is_call_type(part.text_of("type"))) call = &part;
    if (call != nullptr) calls.push_back(call);
  }
  return calls;
}

/// The messages after the last user message; all messages if no user speaks.
std::vector<Node>::const_iterator after_last_user(const Node& messages) {
  return std::find_if(messages.items.rbegin(), messages.items.rend(), is_users).base();
}

/// Reports content parts that are not text, such as images, audio and files.
void report_other_parts(Conversion& conversion, TestDraft& draft, const Source& source, const Node& message) {
  const Node* content = content_of(message);
  if (content == nullptr || !content->is_list()) return;
  for (const Node& part : content->items) {
    if (!part.is_map() || part.first_of({"text", "refusal"}) != nullptr) continue;
    const std::string type = part.text_of("type");
    conversion.note(draft, {source, part.place},
                    {.outcome = Outcome::not_mapped,
                     .source = type.empty() ? "content part" : type,
                     .text = to_json(part),
                     .why = "only text is kept"});
  }
}

}  // namespace

bool is_message_list(const Node& value) {
  return value.is_list() && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(), is_message);
}

std::optional<Node> messages_in_value(const Node& value) {
  Node list = opened(value);
  if (is_message_list(list)) return list;
  if (!is_message(list)) return std::nullopt;
  Node single = holder_node(Node::Kind::list, value.key, value.place);
  single.items.push_back(std::move(list));
  return single;
}

std::string last_user_text(const Node& messages) {
  for (auto message = messages.items.rbegin(); message != messages.items.rend(); ++message) {
    if (is_users(*message)) return text_of_message(*message);
  }
  return {};
}

std::string last_answer_text(const Node& messages) {
  for (auto message = messages.items.rbegin(); message != messages.items.rend(); ++message) {
    if (role_of(*message) != "assistant") continue;
    if (std::string text = text_of_message(*message); !text.empty()) return text;
  }
  return {};
}

std::vector<const Node*> answer_calls(const Node& messages) {
  std::vector<const Node*> calls;
  for (auto message = after_last_user(messages); message != messages.items.end(); ++message) {
    if (role_of(*message) != "assistant") continue;
    const std::vector<const Node*> more = calls_of_message(*message);
    calls.insert(calls.end(), more.begin(), more.end());
  }
  return calls;
}

void add_to_history(Conversion& conversion, TestDraft& draft, const Source& source, const Node& message) {
  const At at{source, message.place};
  const std::string role = role_of(message);
  const std::string name =
      message.text_of("name");  // examples in OpenAI Evals are system messages with a name
  const std::string text = text_of_message(message);
  const std::string spelled = message.text_of("role").empty() ? role : message.text_of("role");
  report_other_parts(conversion, draft, source, message);
  if ((role == "system" || role == "developer") && name.empty()) {
    return conversion.note(draft, at,
                           {.kind = ItemKind::agent,
                            .outcome = Outcome::not_mapped,
                            .source = spelled,
                            .text = text,
                            .why = "belongs to the agent"});
  }
  const std::size_t calls = inner_message(message).list_of("tool_calls").size();
  if (calls > 0 || role == "tool" || text.empty()) {
    conversion.note(draft, at,
                    {.outcome = Outcome::not_mapped,
                     .source = calls > 0 ? "tool_calls" : spelled,
                     .text = text,
                     .why = "the history of a test holds texts only",
                     .count = std::max<std::size_t>(1, calls)});
  }
  if (role == "tool" || text.empty()) return;
  const bool is_user = role == "user" || name == "example_user";
  draft.test.history.push_back({is_user ? "user" : "assistant", text});
  conversion.note(draft, at, {.source = spelled, .text = text, .became = {"history"}});
}

void add_given_messages(Conversion& conversion, TestDraft& draft, const Source& source, const Node& messages,
                        const std::string& column) {
  const auto last = std::find_if(messages.items.rbegin(), messages.items.rend(), is_users);
  bool is_after = false;  // messages after the last turn were recorded and are not part of the history
  for (const Node& message : messages.items) {
    if (is_after) {
      conversion.note(
          draft, {source, message.place},
          {.outcome = Outcome::ignored, .source = "recorded answer", .text = text_of_message(message)});
      for (const Node* call : calls_of_message(message)) {
        conversion.note(
            draft, {source, call->place},
            {.outcome = Outcome::ignored, .source = "recorded call", .text = named_call(*call).name});
      }
      continue;
    }
    if (last == messages.items.rend() || &message != &*last) {
      add_to_history(conversion, draft, source, message);
      continue;
    }
    is_after = true;
    report_other_parts(conversion, draft, source, message);
    conversion.say(draft, text_of_message(message), {source, message.place}, {.source = "user"});
  }
  if (last != messages.items.rend()) return;
  conversion.note(draft, {source, messages.place},
                  {.kind = ItemKind::turn,
                   .outcome = Outcome::not_mapped,
                   .source = column,
                   .why = "the user says nothing"});
  draft.cannot_play = true;
}

}  // namespace parley::convert
