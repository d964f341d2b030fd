#include "convert/messages/given_messages.hpp"

#include <algorithm>

namespace parley::convert {
namespace {

bool is_users(const Node& message) {
  const std::string role = message.text_of("role");
  return role == "user" || role == "human";
}

/// The text of a message, whose content may be a list of parts.
std::string text_of_message(const Node& message) {
  const Node* content = message.find("content");
  if (content == nullptr) return {};
  if (!content->is_list()) return as_text(*content);
  std::string text;
  for (const Node& part : content->items) {
    const std::string more = part.is_map() ? part.text_of("text") : as_text(part);
    if (!more.empty()) text += (text.empty() ? "" : "\n") + more;
  }
  return text;
}

/// Reports the parts of a content that are no texts: pictures, sound, files.
void report_other_parts(Conversion& conversion, TestDraft& draft, const Source& source, const Node& message) {
  for (const Node& part : message.list_of("content")) {
    if (!part.is_map() || part.find("text") != nullptr) continue;
    const std::string type = part.text_of("type");
    conversion.note(draft, {source, part.place},
                    {.outcome = Outcome::not_mapped,
                     .source = type.empty() ? "content part" : type,
                     .text = to_json(part),
                     .why = "only texts are kept"});
  }
}

}  // namespace

bool is_message_list(const Node& value) {
  return value.is_list() && !value.items.empty() &&
         std::all_of(value.items.begin(), value.items.end(),
                     [](const Node& each) { return each.find("role") != nullptr && each.has("content"); });
}

std::string last_user_text(const Node& messages) {
  for (auto message = messages.items.rbegin(); message != messages.items.rend(); ++message) {
    if (is_users(*message)) return text_of_message(*message);
  }
  return {};
}

void add_given_messages(Conversion& conversion, TestDraft& draft, const Source& source, const Node& messages,
                        const std::string& column) {
  const auto last = std::find_if(messages.items.rbegin(), messages.items.rend(), is_users);
  for (const Node& message : messages.items) {
    const At at{source, message.place};
    const std::string role = message.text_of("role");
    const std::string name =
        message.text_of("name");  // examples of OpenAI Evals are system messages with a name
    const std::string text = text_of_message(message);
    report_other_parts(conversion, draft, source, message);
    if (last != messages.items.rend() && &message == &*last) {
      conversion.say(draft, text, at, {.source = "user"});
    } else if ((role == "system" || role == "developer") && name.empty()) {
      conversion.note(draft, at,
                      {.kind = ItemKind::agent,
                       .outcome = Outcome::not_mapped,
                       .source = role,
                       .text = text,
                       .why = "belongs to the agent"});
    } else {
      const bool is_user = is_users(message) || name == "example_user";
      draft.test.history.push_back({is_user ? "user" : "assistant", text});
      conversion.note(draft, at, {.source = role, .text = text, .became = {"history"}});
    }
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
