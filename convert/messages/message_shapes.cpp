#include "convert/messages/message_shapes.hpp"

#include <utility>

#include "convert/reading/python_literal.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Unwraps LangChain's constructor form: the message is in `kwargs`, and its class is the last item of `id`.
Node constructed(const Node& message, const Node& kwargs) {
  Node inner = kwargs;
  inner.place = message.place;
  const std::vector<Node>& path = message.list_of("id");
  const std::string type = path.empty() ? "" : path.back().text;
  if (inner.find("role") != nullptr || inner.find("type") != nullptr) return inner;
  const std::string role = type.starts_with("Human")    ? "user"
                           : type.starts_with("AI")     ? "assistant"
                           : type.starts_with("System") ? "system"
                                                        : "tool";
  inner.items.push_back(text_node("role", role, message.place));
  return inner;
}

/// The texts of a list of parts, joined into one text; other contents unchanged.
Node joined_texts(const Node& content) {
  if (!content.is_list() || content.items.empty() || content.items.front().find("text") == nullptr)
    return content;
  std::string text;
  for (const Node& part : content.items) text += part.text_of("text");
  return text_node(content.key, std::move(text), content.place);
}

}  // namespace

Node unwrapped_message(const Node& message) {
  const Node* kwargs = message.find("kwargs");
  if (kwargs != nullptr && kwargs->is_map()) return constructed(message, *kwargs);
  const Node* inner = message.find("message");
  const bool is_inside = message.find("role") == nullptr && inner != nullptr && inner->is_map() &&
                         inner->find("role") != nullptr;
  return is_inside ? *inner : message;
}

std::string plain_role(std::string_view role) {
  const std::string lower = ascii::lower(role);
  std::string_view plain = lower;
  for (const std::string_view suffix : {"chunk", "message"}) {
    if (plain.size() > suffix.size() && plain.ends_with(suffix)) plain.remove_suffix(suffix.size());
  }
  return std::string(plain);
}

std::vector<Node> calls_in(const Node& content) {
  Node inner = joined_texts(content);
  if (inner.is_text()) {
    const std::size_t begin = inner.text.find_first_of("[{");
    if (begin == std::string::npos) return {};
    inner = opened_literal(text_node(inner.key, inner.text.substr(begin), inner.place));
  }
  if (inner.is_map()) return {std::move(inner)};
  return inner.is_list() ? std::move(inner.items) : std::vector<Node>{};
}

std::optional<Node> definition_in(const Node& content) {
  Node inner = opened(content);
  const Node* function = inner.find("function");
  const bool is_definition = function != nullptr && function->has("name") && !function->has("arguments") &&
                             function->first_of({"description", "parameters"}) != nullptr;
  if (!is_definition) return std::nullopt;
  return inner;
}

}  // namespace parley::convert
