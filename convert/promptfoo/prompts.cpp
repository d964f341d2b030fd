#include "convert/promptfoo/prompts.hpp"

#include <algorithm>
#include <array>

#include "convert/promptfoo/data_files.hpp"
#include "convert/reading/csv.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 8> data_extensions{".txt", ".json",  ".yaml", ".yml",
                                                          ".md",  ".jsonl", ".j2",   ".csv"};

bool is_data_file(std::string_view name) {
  const std::string extension = extension_of(std::string(name));
  return std::find(data_extensions.begin(), data_extensions.end(), extension) != data_extensions.end();
}

/// The text or file name of a prompt, which may be a text, a file, or `{id, raw, label}`.
std::string reference_of(const Node& prompt) {
  if (prompt.is_scalar()) return prompt.text;
  for (const std::string_view key : {"raw", "id", "prompt", "file", "content"}) {
    if (std::string text = prompt.text_of(key); !text.empty()) return text;
  }
  return {};
}

/// Whether the reference is a program, or a prompt that another service stores.
bool is_elsewhere(std::string_view reference) {
  if (reference.starts_with("exec:")) return true;
  const std::size_t colon = reference.find("://");
  const bool is_scheme =
      colon != std::string_view::npos && colon < 16 && reference.find_first_of(" \n{") > colon;
  return is_scheme && !reference.starts_with("file://");
}

bool names_a_file(std::string_view reference) {
  if (reference.starts_with("file://")) return true;
  if (reference.find('\n') != std::string_view::npos || reference.find("{{") != std::string_view::npos)
    return false;
  const std::string name = file_name_of(reference);
  return reference.find(' ') == std::string_view::npos && (is_code_file(name) || is_data_file(name));
}

/// The first text between lines of three dashes, which separate the prompts of a text file.
std::string first_text(const std::string& text) {
  std::string prompt;
  for (const std::string_view line : lines_of(text)) {
    if (ascii::trimmed(line) != "---") {
      prompt += line;
      prompt += '\n';
    } else if (!ascii::trimmed(prompt, " \t\n").empty()) {
      break;
    }
  }
  return std::string(ascii::trimmed(prompt, " \t\n"));
}

/// The first text in the column "prompt"; without such a column, the first cell of the file.
std::string first_cell(const Source& file) {
  Faults spare;
  const auto table = parse_csv(file, spare);
  if (!table) return file.text;
  const auto column = table->column("prompt");
  if (!column) return table->headers.front().text;
  return table->rows.empty() ? std::string() : table->rows.front()[*column].text;
}

std::string first_line(const std::string& text) {
  const std::vector<Part> lines = json_lines(text);
  return lines.empty() ? text : text.substr(lines.front().begin, lines.front().end - lines.front().begin);
}

std::optional<Node> chat_of(const std::string& text, const std::string& path) {
  Faults spare;
  Source source{path, without_history_blocks(ascii::trimmed(text, " \t\n"))};
  std::optional<Node> chat;
  if (source.text.starts_with("[")) {
    source.text = with_quoted_dumps(source.text);
    chat = parse_json(source, spare);
  }
  if (!chat && (is_yaml(path) || source.text.starts_with("- role:"))) chat = parse_yaml(source, spare);
  if (!chat || !chat->is_list() || chat->items.empty() || chat->items.front().find("role") == nullptr)
    return std::nullopt;
  return chat;
}

std::string content_of(const Node& message) {
  const Node* content = message.find("content");
  if (content == nullptr) return {};
  if (!content->is_list()) return as_text(*content);
  std::string text;
  for (const Node& part : content->items) {
    const std::string piece = part.is_text() ? part.text : part.text_of("text");
    if (!piece.empty()) text += (text.empty() ? "" : "\n") + piece;
  }
  return text;
}

/// Whether the message has images, files or other parts without text.
bool has_other_parts(const Node& message) {
  const std::vector<Node>& parts = message.list_of("content");
  return std::any_of(parts.begin(), parts.end(),
                     [](const Node& part) { return part.is_map() && part.find("text") == nullptr; });
}

/// Takes the parts of the chat. False: it has no message of the user.
bool take_chat(const Node& chat, Prompt& prompt) {
  std::size_t last = chat.items.size();
  for (std::size_t i = 0; i < chat.items.size(); ++i) {
    if (chat.items[i].text_of("role") == "user") last = i;
  }
  for (std::size_t i = 0; i < chat.items.size(); ++i) {
    const Node& message = chat.items[i];
    const std::string role = message.text_of("role");
    if (role == "system" || role == "developer") {
      prompt.system.push_back(content_of(message));
    } else if (i == last) {
      prompt.text = content_of(message);
      prompt.has_other_parts = has_other_parts(message);
    } else if (i < last && (role == "user" || role == "assistant")) {
      prompt.history.push_back({role, content_of(message)});
    }
  }
  return last < chat.items.size();
}

/// The text of a data prompt; nullopt for code and for missing files.
std::optional<std::string> text_of(Conversion& conversion, const Source& source, Place place,
                                   const std::string& reference, Prompts& into) {
  if (!names_a_file(reference) && !is_elsewhere(reference)) return reference;
  std::string name = file_name_of(reference);
  if (is_code_file(name) || is_elsewhere(reference)) {
    into.is_code = true;
    return std::nullopt;
  }
  if (is_glob(name)) {
    const std::vector<std::string> matches = matching_files(conversion, source, name);
    if (matches.empty()) return std::nullopt;
    name = matches.front();
  }
  const auto file = read_data_file(conversion, source, {source, place}, name);
  if (!file) return std::nullopt;
  const std::string extension = extension_of(name);
  if (extension == ".txt") return first_text(file->text);
  if (extension == ".csv") return first_cell(*file);
  return extension == ".jsonl" ? first_line(file->text) : file->text;
}

void read_prompt(Conversion& conversion, const Source& source, const Node& node, Prompts& prompts) {
  const std::string reference = reference_of(node);
  const auto text = text_of(conversion, source, node.place, reference, prompts);
  if (text && text->find("_conversation") != std::string::npos) prompts.uses_conversation = true;
  const Item item{.kind = ItemKind::agent,
                  .outcome = Outcome::ignored,
                  .source = "prompt",
                  .text = text.value_or(reference)};
  conversion.report.add(source, node.place, item);
  if (!text) return;
  Prompt prompt;
  prompt.label = node.text_of("label").empty() ? reference : node.text_of("label");
  prompt.id = node.text_of("id");
  const auto chat = chat_of(*text, names_a_file(reference) ? file_name_of(reference) : "");
  if (!chat) prompt.text = *text;
  if (!chat || take_chat(*chat, prompt)) prompts.data.push_back(std::move(prompt));
}

bool is_named(const Prompt& prompt, const Node& names) {
  const auto names_it = [&](const Node& name) {
    return name.text == prompt.label || (!prompt.id.empty() && name.text == prompt.id) ||
           prompt.label.starts_with(name.text + ":");
  };
  if (!names.is_list()) return names_it(names);
  return std::any_of(names.items.begin(), names.items.end(), names_it);
}

}  // namespace

Prompts read_prompts(Conversion& conversion, const Source& source, const Node& config) {
  Prompts prompts;
  const Node* listed = config.find("prompts");
  if (listed == nullptr) return prompts;
  if (listed->is_list()) {
    for (const Node& each : listed->items) read_prompt(conversion, source, each, prompts);
  } else if (listed->is_map() && listed->find("id") == nullptr && listed->find("raw") == nullptr) {
    for (const Node& each : listed->items) {  // maps files to labels
      Node named = holder_node(Node::Kind::map, "", each.place);
      named.items = {text_node("id", each.key, each.place), text_node("label", each.text, each.place)};
      read_prompt(conversion, source, named, prompts);
    }
  } else {
    read_prompt(conversion, source, *listed, prompts);
  }
  return prompts;
}

const Prompt* first_allowed(const Prompts& prompts, const Node* allowed) {
  if (prompts.data.empty()) return nullptr;
  if (allowed == nullptr) return &prompts.data.front();
  const auto found = std::find_if(prompts.data.begin(), prompts.data.end(),
                                  [&](const Prompt& prompt) { return is_named(prompt, *allowed); });
  return found == prompts.data.end() ? &prompts.data.front() : &*found;
}

}  // namespace parley::convert
