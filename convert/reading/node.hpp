#pragma once
/// A tree of JSON or YAML with the place of every value. Importers read this and nothing else, so that one importer takes
/// both. Plain values; one thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "convert/reading/source.hpp"
#include "model/json/json_writer.hpp"

namespace parley::convert {

struct Node {
  enum class Kind : std::uint8_t { null, boolean, number, text, list, map };

  Kind kind = Kind::null;
  bool flag = false;  ///< the value of a boolean
  Place place;
  std::string key;   ///< name of a member
  std::string text;  ///< a text; a number or boolean as the file spells it
  std::vector<Node> items;

  [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  /// A text, number or boolean.
  [[nodiscard]] bool is_scalar() const { return !is_list() && !is_map() && !is_null(); }

  /// The member of that name if it is there and not null; null pointer if not, or if this is not a map.
  [[nodiscard]] const Node* find(std::string_view name) const;
  /// The first of these members.
  [[nodiscard]] const Node* first_of(std::initializer_list<std::string_view> names) const;
  /// Whether a member has that name, null or not.
  [[nodiscard]] bool has(std::string_view name) const;
  /// The text of the member, or of a number or boolean there; empty if it is missing.
  [[nodiscard]] std::string text_of(std::string_view name) const;
  /// The items of the member if it is a list; an empty list if not.
  [[nodiscard]] const std::vector<Node>& list_of(std::string_view name) const;
  /// The number, if this is one.
  [[nodiscard]] std::optional<double> number() const;
};

/// An empty node to bind a reference to.
[[nodiscard]] const Node& no_node();

/// A text with a key, and an empty map or list, for importers that bring one shape into another.
[[nodiscard]] Node text_node(std::string key, std::string text, Place place);
[[nodiscard]] Node holder_node(Node::Kind kind, std::string key, Place place);
/// The same value under another key.
[[nodiscard]] Node renamed(const Node& node, std::string key);

/// The value as compact JSON. A number of YAML that JSON does not know becomes a string.
[[nodiscard]] std::string to_json(const Node& node);
void write_json(json::Writer& out, const Node& node);
/// A text as it is, anything else as JSON: how a template shows a value.
[[nodiscard]] std::string as_text(const Node& node);

/// The tree of a JSON text inside another one (a string that holds JSON); nullopt for other texts. All places are `place`.
[[nodiscard]] std::optional<Node> parse_inner_json(std::string_view text, Place place);
/// The same for a node: itself unless it is a text of a JSON list or object.
[[nodiscard]] Node opened(const Node& node);

/// The text of a JSON string inside a text, as instrumentations of LlamaIndex record it; itself for other nodes.
[[nodiscard]] Node unquoted(const Node& node);

/// Levels of nesting that are read; the product's own bound of JSON bodies.
inline constexpr std::size_t levels_max = 64;

/// Reads `source.text`, or its part from `begin` to `end` whose first line is `line`. nullopt: a fault was added.
[[nodiscard]] std::optional<Node> parse_json(const Source& source, Faults& faults);
struct Part {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::uint32_t line = 1;
};
[[nodiscard]] std::optional<Node> parse_json(const Source& source, const Part& part, Faults& faults);
/// Reads YAML. nullopt: a fault was added.
[[nodiscard]] std::optional<Node> parse_yaml(const Source& source, Faults& faults);
/// Reads JSON if the first character is `{` or `[`, else YAML.
[[nodiscard]] std::optional<Node> parse_either(const Source& source, Faults& faults);

/// The non-empty lines of a JSON Lines file.
[[nodiscard]] std::vector<Part> json_lines(std::string_view text);
/// The objects and lists of a text in which they follow each other over any number of lines, as console exporters write them.
/// Empty: the text has something else, or the last one does not end.
[[nodiscard]] std::vector<Part> json_values(std::string_view text);

}  // namespace parley::convert
