#include "convert/reading/node.hpp"

#include <algorithm>
#include <array>

#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// Builds the tree of a parsed text. Nodes are visited in text order, so one cursor finds all places.
class TreeOfJson {
 public:
  TreeOfJson(PlaceCursor& cursor, const char* base, std::size_t offset)
      : cursor_(cursor), base_(base), offset_(offset) {}

  Node build(const json::Value& value) {
    Node node;
    node.place = cursor_.to(offset_ + static_cast<std::size_t>(value.raw().data() - base_));
    switch (value.kind()) {
      case json::Kind::null: break;
      case json::Kind::boolean:
        node.kind = Node::Kind::boolean;
        node.flag = value.boolean();
        node.text = value.raw();
        break;
      case json::Kind::number:
        node.kind = Node::Kind::number;
        node.text = value.raw();
        break;
      case json::Kind::string:
        node.kind = Node::Kind::text;
        node.text = value.string();
        break;
      case json::Kind::array:
      case json::Kind::object: add_items(node, value); break;
    }
    return node;
  }

 private:
  void add_items(Node& node, const json::Value& value) {
    const bool is_object = value.is(json::Kind::object);
    node.kind = is_object ? Node::Kind::map : Node::Kind::list;
    node.items.reserve(value.size());
    for (const json::Value& child : value.children()) {
      node.items.push_back(build(child));
      if (is_object) node.items.back().key = child.key();
    }
  }

  PlaceCursor& cursor_;
  const char* base_;
  std::size_t offset_;
};

void set_places(Node& node, Place place) {
  node.place = place;
  for (Node& item : node.items) set_places(item, place);
}

std::optional<Node> tree_of(std::string_view text, std::size_t offset, PlaceCursor& cursor,
                            const Expected<json::Document>& document) {
  const json::Value root = document.value().root();
  const std::size_t blanks = text.find_first_not_of(" \t\n\r");
  return TreeOfJson(cursor, root.raw().data(), offset + blanks).build(root);
}

/// The byte offset named in a detail of the JSON reader ("not valid JSON at byte 12: ...") and the detail without it.
std::pair<std::size_t, std::string> fault_of(const std::string& detail) {
  constexpr std::string_view marker = "at byte ";
  const std::size_t found = detail.find(marker);
  if (found == std::string::npos) return {0, detail};
  std::size_t byte = 0;
  std::size_t at = found + marker.size();
  while (at < detail.size() && ascii::is_digit(detail[at]))
    byte = byte * 10 + static_cast<std::size_t>(detail[at++] - '0');
  return {byte, detail.substr(0, found - 1) + detail.substr(at)};
}

bool is_json_number(std::string_view text) {
  const auto document = json::parse(text);
  return document.ok() && document->root().is(json::Kind::number);
}

}  // namespace

const Node* Node::find(std::string_view name) const {
  if (!is_map()) return nullptr;
  for (const Node& item : items) {
    if (item.key == name) return item.is_null() ? nullptr : &item;
  }
  return nullptr;
}

const Node* Node::first_of(std::initializer_list<std::string_view> names) const {
  for (const std::string_view name : names) {
    if (const Node* found = find(name)) return found;
  }
  return nullptr;
}

bool Node::has(std::string_view name) const {
  return is_map() &&
         std::any_of(items.begin(), items.end(), [&](const Node& item) { return item.key == name; });
}

std::string Node::text_of(std::string_view name) const {
  const Node* found = find(name);
  return found != nullptr && found->is_scalar() ? found->text : std::string();
}

const std::vector<Node>& Node::list_of(std::string_view name) const {
  const Node* found = find(name);
  return found != nullptr && found->is_list() ? found->items : no_node().items;
}

std::optional<double> Node::number() const {
  if (kind != Kind::number) return std::nullopt;
  const auto document = json::parse(text);
  if (!document.ok() || !document->root().is(json::Kind::number)) return std::nullopt;
  return document->root().number();
}

Node text_node(std::string key, std::string text, Place place) {
  Node node = holder_node(Node::Kind::text, std::move(key), place);
  node.text = std::move(text);
  return node;
}

Node holder_node(Node::Kind kind, std::string key, Place place) {
  Node node;
  node.kind = kind;
  node.key = std::move(key);
  node.place = place;
  return node;
}

Node renamed(const Node& node, std::string key) {
  Node out = node;
  out.key = std::move(key);
  return out;
}

const Node& no_node() {
  static const Node none;
  return none;
}

void write_json(json::Writer& out, const Node& node) {
  switch (node.kind) {
    case Node::Kind::null: out.null(); break;
    case Node::Kind::boolean: out.boolean(node.flag); break;
    case Node::Kind::number:
      if (is_json_number(node.text)) {
        out.raw(node.text);
      } else {
        out.string(node.text);
      }
      break;
    case Node::Kind::text: out.string(node.text); break;
    case Node::Kind::list:
      out.begin_array();
      for (const Node& item : node.items) write_json(out, item);
      out.end_array();
      break;
    case Node::Kind::map:
      out.begin_object();
      for (const Node& item : node.items) write_json(out.key(item.key), item);
      out.end_object();
      break;
  }
}

std::string to_json(const Node& node) {
  json::Writer out;
  write_json(out, node);
  return std::move(out).text();
}

std::string as_text(const Node& node) {
  if (node.is_null()) return {};
  return node.is_scalar() ? node.text : to_json(node);
}

std::optional<Node> parse_inner_json(std::string_view text, Place place) {
  auto document = json::parse(text, {levels_max, SIZE_MAX});
  if (!document.ok()) return std::nullopt;
  PlaceCursor cursor("");
  auto node = tree_of(text, 0, cursor, document);
  if (node) set_places(*node, place);
  return node;
}

Node opened(const Node& node) {
  if (!node.is_text()) return node;
  const std::string_view text = ascii::trimmed(node.text, " \t\n\r");
  if (text.empty() || (text[0] != '{' && text[0] != '[')) return node;
  auto inner = parse_inner_json(text, node.place);
  if (!inner) return node;
  inner->key = node.key;
  return std::move(*inner);
}

Node unquoted(const Node& node) {
  if (!node.is_text()) return node;
  const std::string_view text = ascii::trimmed(node.text, " \t\n\r");
  if (text.size() < 2 || text.front() != '"' || text.back() != '"') return node;
  auto inner = parse_inner_json(text, node.place);
  if (!inner || !inner->is_text()) return node;
  inner->key = node.key;
  return std::move(*inner);
}

std::size_t replace_constants(std::string& json) {
  constexpr std::array<std::string_view, 3> constants{"NaN", "Infinity", "-Infinity"};
  std::string out;
  std::size_t count = 0;
  std::size_t copied = 0;
  for (std::size_t at = 0; at < json.size(); ++at) {
    if (json[at] == '"') {
      at = json::string_end(json, at) - 1;
      if (at >= json.size()) break;  // the text ends in a string
      continue;
    }
    const std::string_view rest = std::string_view(json).substr(at);
    const auto found = std::find_if(constants.begin(), constants.end(),
                                    [&](std::string_view each) { return rest.starts_with(each); });
    if (found == constants.end()) continue;
    out.append(json, copied, at - copied).append("null");
    copied = at + found->size();
    at = copied - 1;
    ++count;
  }
  if (count > 0) json = out.append(json, copied);
  return count;
}

std::optional<Node> parse_json(const Source& source, Faults& faults) {
  return parse_json(source, {0, source.text.size(), 1}, faults);
}

std::optional<Node> parse_json(const Source& source, const Part& part, Faults& faults) {
  const std::string_view text = std::string_view(source.text).substr(part.begin, part.end - part.begin);
  auto document = json::parse(text, {levels_max, SIZE_MAX});
  if (!document.ok()) {
    const auto [byte, reason] = fault_of(document.problem().detail);
    PlaceCursor cursor(source.text, part.begin, part.line);
    faults.add(source, cursor.to(part.begin + byte), reason);
    return std::nullopt;
  }
  PlaceCursor cursor(source.text, part.begin, part.line);
  return tree_of(text, part.begin, cursor, document);
}

std::optional<Node> parse_either(const Source& source, Faults& faults) {
  const std::size_t first = source.text.find_first_not_of(" \t\n\r");
  const bool is_json = first != std::string::npos && (source.text[first] == '{' || source.text[first] == '[');
  return is_json ? parse_json(source, faults) : parse_yaml(source, faults);
}

std::vector<Part> json_lines(std::string_view text) {
  std::vector<Part> parts;
  std::size_t begin = 0;
  for (std::uint32_t line = 1; begin < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const bool is_blank =
        text.substr(begin, end - begin).find_first_not_of(" \t\r") == std::string_view::npos;
    if (!is_blank) parts.push_back({begin, end, line});
    begin = end + 1;
  }
  return parts;
}

std::vector<Part> json_values(std::string_view text) {
  std::vector<Part> parts;
  std::size_t depth = 0;
  std::uint32_t line = 1;
  for (std::size_t at = 0; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '\n') ++line;
    if (c == '\n' || c == ' ' || c == '\t' || c == '\r') continue;
    if (c == '{' || c == '[') {
      if (depth == 0) parts.push_back({at, text.size(), line});
      ++depth;
    } else if (depth == 0) {
      return {};
    } else if (c == '}' || c == ']') {
      --depth;
      if (depth == 0) parts.back().end = at + 1;
    } else if (c == '"') {
      const std::size_t end = json::string_end(text, at);
      if (end == std::string_view::npos) return {};
      at = end - 1;
    }
  }
  return depth == 0 ? parts : std::vector<Part>{};
}

}  // namespace parley::convert
