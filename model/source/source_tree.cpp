#include "model/source/source_tree.hpp"

#include <algorithm>
#include <optional>

#include "model/json/json.hpp"

namespace parley::source {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

void skip_digits(std::string_view& rest) {
  while (!rest.empty() && is_digit(rest.front())) rest.remove_prefix(1);
}

/// The line of a text that contains a byte: its number, from 0, and its beginning.
struct TextLine {
  std::uint32_t number = 0;
  std::size_t begin = 0;
};
TextLine line_in(std::string_view text, std::size_t offset) {
  TextLine line;
  for (std::size_t at = text.find('\n'); at < offset; at = text.find('\n', at + 1)) {
    line = {line.number + 1, at + 1};
  }
  return line;
}

/// For a literal block, whose text begins in the line after the header, with each line indented.
std::optional<Span> span_in_literal(const SourceFile& file, const Node& scalar, Span of_text) {
  const TextLine line = line_in(scalar.text, of_text.begin);
  const std::string_view wanted =
      std::string_view(scalar.text).substr(line.begin, scalar.text.find('\n', line.begin) - line.begin);
  std::uint32_t first = file.position(scalar.at.begin).line;
  // The parser's mark of a block scalar is its header or its first line, so both are tried.
  for (const std::uint32_t number : {first + line.number + 1, first + line.number}) {
    if (number > file.line_count() || !file.line(number).ends_with(wanted)) continue;
    const std::size_t indent = file.line(number).size() - wanted.size();
    if (file.line(number).substr(0, indent).find_first_not_of(' ') != std::string_view::npos) continue;
    const std::size_t begin = file.line_begin(number) + indent + (of_text.begin - line.begin);
    return Span{begin, begin + (of_text.end - of_text.begin)};
  }
  return std::nullopt;
}

/// Finds the same text in the file, at the same occurrence as in the scalar's text.
std::optional<Span> span_by_search(const SourceFile& file, const Node& scalar, Span of_text) {
  const std::string_view text = scalar.text;
  const std::string_view wanted = text.substr(of_text.begin, of_text.end - of_text.begin);
  if (wanted.empty()) return std::nullopt;
  std::size_t nth = 0;
  for (std::size_t at = text.find(wanted); at < of_text.begin; at = text.find(wanted, at + 1)) ++nth;
  const std::string_view raw = file.text().substr(scalar.at.begin, scalar.at.end - scalar.at.begin);
  std::size_t found = raw.find(wanted);
  for (; nth > 0 && found != std::string_view::npos; --nth) found = raw.find(wanted, found + 1);
  if (found == std::string_view::npos) return std::nullopt;
  return Span{scalar.at.begin + found, scalar.at.begin + found + wanted.size()};
}

}  // namespace

const Member* Node::find(std::string_view name) const {
  const auto found =
      std::find_if(members.begin(), members.end(), [&](const Member& each) { return each.name == name; });
  return found == members.end() ? nullptr : &*found;
}

bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || !is_digit(text.front())) return false;
  if (text.front() == '0')
    text.remove_prefix(1);
  else
    skip_digits(text);
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    if (text.empty() || !is_digit(text.front())) return false;
    skip_digits(text);
  }
  if (text.starts_with('e') || text.starts_with('E')) {
    text.remove_prefix(1);
    if (text.starts_with('+') || text.starts_with('-')) text.remove_prefix(1);
    if (text.empty() || !is_digit(text.front())) return false;
    skip_digits(text);
  }
  return text.empty();
}

NodeKind kind_of_plain(std::string_view text) {
  if (text.empty() || text == "~" || text == "null" || text == "Null" || text == "NULL")
    return NodeKind::null;
  if (text == "true" || text == "false" || text == "True" || text == "False" || text == "TRUE" ||
      text == "FALSE") {
    return NodeKind::boolean;
  }
  return is_json_number(text) && json::parse(text).ok() ? NodeKind::number : NodeKind::string;
}

Span span_in(const SourceFile& file, const Node& scalar, Span of_text) {
  of_text.end = std::clamp(of_text.end, of_text.begin, std::max(of_text.begin, scalar.text.size()));
  if (of_text.begin > scalar.text.size()) return scalar.at;
  const std::size_t quote = scalar.style == Style::plain ? 0 : 1;
  const std::size_t begin = scalar.at.begin + quote;
  if (scalar.style != Style::literal && scalar.style != Style::folded &&
      file.text().substr(std::min(begin, file.text().size()), scalar.text.size()) == scalar.text) {
    return {begin + of_text.begin, begin + of_text.end};
  }
  std::optional<Span> found;
  if (scalar.style == Style::literal) found = span_in_literal(file, scalar, of_text);
  if (!found) found = span_by_search(file, scalar, of_text);
  if (!found) return scalar.at;
  // A part that spans several lines is longer in the file than in the text, or shorter at its end.
  const std::size_t size = file.text().size();
  return {std::min(found->begin, size), std::clamp(found->end, std::min(found->begin, size), size)};
}

void write_json(json::Writer& out, const Node& node) {
  switch (node.kind) {
    case NodeKind::null: out.null(); return;
    case NodeKind::boolean: out.boolean(node.text.front() == 't' || node.text.front() == 'T'); return;
    case NodeKind::number: out.raw(node.text); return;
    case NodeKind::string: out.string(node.text); return;
    case NodeKind::sequence:
      out.begin_array();
      for (const Node* item : node.items) write_json(out, *item);
      out.end_array();
      return;
    case NodeKind::mapping:
      out.begin_object();
      for (const Member& member : node.members) {
        out.key(member.name);
        write_json(out, *member.value);
      }
      out.end_object();
      return;
  }
}

}  // namespace parley::source
