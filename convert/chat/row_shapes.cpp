#include "convert/chat/row_shapes.hpp"

#include <algorithm>
#include <array>

#include "convert/chat/stored_calls.hpp"
#include "convert/messages/given_messages.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 7> list_keys{"messages", "conversations",   "conversation", "dialog",
                                                    "dialogue", "chosen_messages", "contents"};
constexpr std::array<std::string_view, 7> user_keys{"human", "user",   "question",   "query",
                                                    "input", "prompt", "instruction"};
constexpr std::array<std::string_view, 7> assistant_keys{"assistant", "gpt",    "bot",       "answer",
                                                         "response",  "output", "completion"};

bool is_text_message(const Node& node) {
  return is_chat_message(node) || (node.is_map() && node.find("kwargs") != nullptr) ||
         (node.find("type") != nullptr && node.has("content"));
}

bool has_messages(const Node* list) {
  return list != nullptr && list->is_list() && !list->items.empty() && is_text_message(list->items.front());
}

template <std::size_t Size>
const Node* first_scalar(const Node& node, const std::array<std::string_view, Size>& keys) {
  for (const std::string_view key : keys) {
    const Node* found = node.find(key);
    if (found != nullptr && found->is_scalar()) return found;
  }
  return nullptr;
}

/// `["question", "answer"]`
bool is_exchange(const Node& node) {
  return node.is_list() && node.items.size() == 2 && node.items[0].is_text() && node.items[1].is_text();
}

/// `{"human": "question", "assistant": "answer"}`
bool is_pair(const Node& node) {
  return node.is_map() && !is_text_message(node) && first_scalar(node, user_keys) != nullptr &&
         first_scalar(node, assistant_keys) != nullptr;
}

template <typename Wanted>
bool is_list_of(const Node& list, const Wanted& wanted) {
  return list.is_list() && !list.items.empty() && std::all_of(list.items.begin(), list.items.end(), wanted);
}

void add_exchanges(RowConversation& out, const Node& list) {
  for (const Node& each : list.items) {
    out.messages.push_back(text_message("user", each.items[0]));
    out.messages.push_back(text_message("assistant", each.items[1]));
  }
}

void add_pairs(RowConversation& out, const Node& list) {
  for (const Node& each : list.items) {
    const Node* user = first_scalar(each, user_keys);
    const Node* assistant = first_scalar(each, assistant_keys);
    const Node* system = each.find("system");
    if (system != nullptr && !as_text(*system).empty())
      out.messages.push_back(text_message("system", *system));
    if (user != nullptr) out.messages.push_back(text_message("user", *user));
    if (assistant != nullptr) out.messages.push_back(text_message("assistant", *assistant));
    for (const Node& member : each.items) {
      const bool is_read = &member == user || &member == assistant || &member == system;
      if (!is_read && !as_text(member).empty()) out.leftovers.push_back(member);
    }
  }
}

/// A list of texts in which the user and the assistant alternate.
void add_texts(RowConversation& out, const Node& list) {
  for (std::size_t i = 0; i < list.items.size(); ++i)
    out.messages.push_back(text_message(i % 2 == 0 ? "user" : "assistant", list.items[i]));
}

/// Adds a list in any of its forms. False: its items are not messages.
bool add_list(RowConversation& out, const Node& list) {
  const auto is_text = [](const Node& each) { return each.is_text(); };
  if (is_list_of(list, is_exchange)) {
    add_exchanges(out, list);
  } else if (!list.items.empty() && is_pair(list.items.front())) {
    add_pairs(out, list);
  } else if (is_list_of(list, is_text)) {
    add_texts(out, list);
  } else {
    out.messages.insert(out.messages.end(), list.items.begin(), list.items.end());
    return has_messages(&list);
  }
  return true;
}

/// Reads a transcript in one text: `\n\nHuman: ...\n\nAssistant: ...`.
bool add_transcript(RowConversation& out, const Node& text) {
  constexpr std::string_view human = "\n\nHuman: ";
  constexpr std::string_view assistant = "\n\nAssistant: ";
  const std::string_view all = text.text;
  if (!all.starts_with(human)) return false;
  bool is_human = true;
  std::size_t begin = human.size();
  std::size_t next_human = all.find(human, begin);
  std::size_t next_assistant = all.find(assistant, begin);
  for (;;) {
    const std::size_t end = std::min(next_human, next_assistant);
    const std::string_view said = all.substr(begin, end == std::string_view::npos ? end : end - begin);
    out.messages.push_back(
        text_message(is_human ? "user" : "assistant", text_node("", std::string(said), text.place)));
    if (end == std::string_view::npos) return true;
    is_human = end == next_human;
    begin = end + (is_human ? human : assistant).size();
    if (is_human) next_human = all.find(human, begin);
    if (!is_human) next_assistant = all.find(assistant, begin);
  }
}

/// Adds one side's text, message or list of messages.
void add_side(RowConversation& out, std::string_view role, const Node& side) {
  const Node inner = opened(side);
  if (has_messages(&inner)) {
    out.messages.insert(out.messages.end(), inner.items.begin(), inner.items.end());
  } else if (is_chat_message(inner)) {
    out.messages.push_back(inner);
  } else {
    out.messages.push_back(text_message(role, side));
  }
}

/// Detects the shape of one row by its keys.
class Shapes {
 public:
  explicit Shapes(const Node& row) : row_(row) {}

  std::optional<RowConversation> read() {
    if (row_.is_list() && has_messages(&row_)) {
      out_.messages = row_.items;
      return std::move(out_);
    }
    if (read_list(row_) || read_question("query", "response") || read_instruction() || read_prompt() ||
        read_question("question", "answer") || read_question("question", "response") || read_pair() ||
        read_preference() || read_half())
      return std::move(out_);
    return std::nullopt;
  }

 private:
  const Node* take(std::string_view key) {
    const Node* found = row_.find(key);
    if (found != nullptr) out_.keys.insert(std::string(key));
    return found;
  }

  void side(std::string_view role, std::string_view key) {
    if (const Node* found = take(key)) add_side(out_, role, *found);
  }

  void history() {
    const Node* found = row_.find("history");
    if (found == nullptr || !found->is_list()) return;
    const bool is_read = found->items.empty() || is_list_of(*found, is_exchange) ||
                         is_list_of(*found, is_pair) || has_messages(found);
    if (!is_read) return;
    out_.keys.insert("history");
    add_list(out_, *found);
  }

  /// The chosen answer, or the whole conversation that ends with it.
  void chosen() {
    const Node* found = take("chosen");
    if (found == nullptr) return;
    const Node inner = opened(*found);
    if (has_messages(&inner) && !last_user_text(inner).empty()) out_.messages.clear();
    if (inner.is_text() && add_transcript(out_, inner)) return;
    add_side(out_, "assistant", *found);
  }

  /// The answer that follows messages ending with a user message.
  void answer() {
    const std::string role = out_.messages.empty() ? "" : out_.messages.back().text_of("role");
    for (const std::string_view key : {"response", "completion"}) {
      const Node* found = row_.find(key);
      if (role == "user" && found != nullptr && found->is_text()) return side("assistant", key);
    }
  }

  /// Gemini stores the system instruction next to the contents.
  void system_instruction() {
    for (const std::string_view key : {"systemInstruction", "system_instruction"}) {
      const Node* found = take(key);
      if (found == nullptr) continue;
      const Node* parts = found->find("parts");
      out_.messages.push_back(text_message("system", parts == nullptr ? *found : *parts));
    }
  }

  bool read_list(const Node& holder) {
    for (const std::string_view key : list_keys) {
      const Node* found = holder.find(key);
      if (found == nullptr) continue;
      if (found->is_map()) {
        if (!read_list(*found)) continue;
      } else if (found->is_list()) {
        if (key == "contents" && &holder == &row_) system_instruction();
        add_list(out_, *found);
      } else {
        continue;
      }
      if (&holder != &row_) return true;
      out_.keys.insert(std::string(key));
      chosen();
      answer();
      return true;
    }
    return false;
  }

  bool read_question(std::string_view question, std::string_view answer) {
    if (row_.find(question) == nullptr || row_.find(answer) == nullptr) return false;
    history();
    side("user", question);
    side("assistant", answer);
    return true;
  }

  /// A question with its answer under any of the usual keys.
  bool read_pair() {
    const Node* user = first_scalar(row_, user_keys);
    const Node* assistant = first_scalar(row_, assistant_keys);
    return user != nullptr && assistant != nullptr && read_question(user->key, assistant->key);
  }

  /// Reads a row that records only one side: a query, a response, or the messages of a prompt.
  bool read_half() {
    const Node* prompt = row_.find("prompt");
    const bool has_prompt = prompt != nullptr && has_messages(prompt);
    if (!has_prompt && row_.first_of({"query", "response"}) == nullptr) return false;
    history();
    side("user", has_prompt ? "prompt" : "query");
    side("assistant", "response");
    return true;
  }

  /// Alpaca: the input is appended to the instruction.
  bool read_instruction() {
    const Node* instruction = row_.find("instruction");
    if (instruction == nullptr || row_.first_of({"output", "chosen"}) == nullptr) return false;
    out_.keys.insert("instruction");
    history();
    Node text = *instruction;
    const Node* input = row_.find("input");
    if (input != nullptr && input->is_scalar()) {
      out_.keys.insert("input");
      if (!input->text.empty()) text.text += "\n" + input->text;
    }
    add_side(out_, "user", text);
    side("assistant", "output");
    if (row_.find("output") == nullptr) chosen();
    return true;
  }

  bool read_prompt() {
    const Node* prompt = row_.first_of({"prompt", "question"});
    const Node* answer = row_.first_of({"completion", "chosen", "response"});
    if (answer == nullptr || (prompt == nullptr && answer->key != "chosen")) return false;
    if (prompt != nullptr) {
      history();
      side("user", prompt->key);
    }
    if (answer->key == "chosen") {
      chosen();
    } else {
      side("assistant", answer->key);
    }
    return true;
  }

  /// OpenAI preference rows.
  bool read_preference() {
    const Node* input = row_.find("input");
    if (input == nullptr || !read_list(*input)) return false;
    out_.keys.insert("input");
    side("assistant", "preferred_output");
    return true;
  }

  const Node& row_;
  RowConversation out_;
};

}  // namespace

Node text_message(std::string_view role, const Node& text) {
  Node message = holder_node(Node::Kind::map, "", text.place);
  message.items = {text_node("role", std::string(role), text.place), renamed(text, "content")};
  return message;
}

bool is_chat_message(const Node& node) {
  return node.is_map() && (node.find("role") != nullptr || node.find("from") != nullptr);
}

std::optional<RowConversation> conversation_of(const Node& row) {
  auto call = stored_call(row);
  return call ? std::move(call) : Shapes(row).read();
}

bool is_training_row(const Node& row) {
  if (!row.is_map()) return false;
  for (const std::string_view key : list_keys) {
    const Node* list = row.find(key);
    if (list == nullptr) continue;
    if (list->is_map()) return has_messages(list->find("messages"));
    RowConversation spare;
    return add_list(spare, *list);
  }
  if (row.find("chosen") != nullptr && row.find("rejected") != nullptr) return true;
  const Node* prompt = row.find("prompt");
  const Node* label = row.find("label");
  const bool is_labelled = label != nullptr && label->is(Node::Kind::boolean);
  if (row.find("completion") != nullptr && (has_messages(prompt) || (prompt != nullptr && is_labelled)))
    return true;
  const Node* input = row.find("input");
  return input != nullptr && row.find("preferred_output") != nullptr;
}

}  // namespace parley::convert
