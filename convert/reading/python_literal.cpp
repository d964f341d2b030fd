#include "convert/reading/python_literal.hpp"

#include <array>
#include <utility>

#include "model/json/json.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 3> constants{
    {{"True", "true"}, {"False", "false"}, {"None", "null"}}};

/// The character of a one-letter escape; 0 if it is not such an escape.
char escaped(char letter) {
  constexpr std::string_view letters = "ntr\\'\"";
  constexpr std::string_view characters = "\n\t\r\\'\"";
  const std::size_t at = letters.find(letter);
  return at == std::string_view::npos ? '\0' : characters[at];
}

/// Reads the quoted string that begins at `at` and moves `at` past it. nullopt: it is unterminated or has an unknown
/// escape.
std::optional<std::string> string_at(std::string_view text, std::size_t& at) {
  const char quote = text[at];
  std::string out;
  for (++at; at < text.size() && text[at] != quote; ++at) {
    if (text[at] != '\\') {
      out += text[at];
      continue;
    }
    const char character = ++at < text.size() ? escaped(text[at]) : '\0';
    if (character == '\0') return std::nullopt;
    out += character;
  }
  if (at >= text.size()) return std::nullopt;
  ++at;
  return out;
}

}  // namespace

std::optional<std::string> json_of_python(std::string_view text) {
  std::string out;
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '\'' || text[at] == '"') {
      const auto string = string_at(text, at);
      if (!string) return std::nullopt;
      json::append_quoted(out, *string);
      continue;
    }
    bool is_constant = false;
    for (const auto& [python, json] : constants) {
      if (!text.substr(at).starts_with(python)) continue;
      out += json;
      at += python.size();
      is_constant = true;
      break;
    }
    if (!is_constant) out += text[at++];
  }
  return json::parse(out).ok() ? std::optional(std::move(out)) : std::nullopt;
}

Node opened_literal(const Node& node) {
  Node inner = opened(node);
  if (!inner.is_text()) return inner;
  const std::string_view text = ascii::trimmed(inner.text, " \t\n\r");
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return inner;
  const auto json = json_of_python(text);
  return json ? opened(text_node(node.key, *json, node.place)) : inner;
}

}  // namespace parley::convert
