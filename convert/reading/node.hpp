#pragma once
/// A JSON or YAML tree with the place of every value. Importers read only this tree, so one importer handles both
/// formats. Plain values; one thread.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
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
  std::string key;   ///< name of the member that holds this value
  std::string text;  ///< a text; a number or boolean as the file spells it
  std::vector<Node> items;

  [[nodiscard]] bool is(Kind wanted) const { return kind == wanted; }
  [[nodiscard]] bool is_text() const { return kind == Kind::text; }
  [[nodiscard]] bool is_list() const { return kind == Kind::list; }
  [[nodiscard]] bool is_map() const { return kind == Kind::map; }
  [[nodiscard]] bool is_null() const { return kind == Kind::null; }
  /// A text, number or boolean.
  [[nodiscard]] bool is_scalar() const { return !is_list() && !is_map() && !is_null(); }

  /// The member with that name. Null pointer: it is missing or null, or this is not a map.
  [[nodiscard]] const Node* find(std::string_view name) const;
  /// The first of these members that is found.
  [[nodiscard]] const Node* first_of(std::initializer_list<std::string_view> names) const;
  /// Whether a member with that name exists, even if it is null.
  [[nodiscard]] bool has(std::string_view name) const;
  /// The text of the member, which may be a number or boolean; empty if it is missing.
  [[nodiscard]] std::string text_of(std::string_view name) const;
  /// The items of the member if it is a list, else an empty list.
  [[nodiscard]] const std::vector<Node>& list_of(std::string_view name) const;
  /// The numeric value; nullopt: not a JSON number.
  [[nodiscard]] std::optional<double> number() const;
};

/// An empty node to bind references to.
[[nodiscard]] const Node& no_node();

/// Builders for importers that convert one shape into another: a text with a key, and an empty node.
[[nodiscard]] Node text_node(std::string key, std::string text, Place place);
[[nodiscard]] Node holder_node(Node::Kind kind, std::string key, Place place);
/// The same value under another key.
[[nodiscard]] Node renamed(const Node& node, std::string key);

/// The value as compact JSON. A YAML number that is not valid JSON becomes a string.
[[nodiscard]] std::string to_json(const Node& node);
void write_json(json::Writer& out, const Node& node);
/// A text unchanged, any other value as JSON, as templates render values.
[[nodiscard]] std::string as_text(const Node& node);

/// The tree of a JSON text embedded in a string; nullopt if it is not JSON. All places are `place`.
[[nodiscard]] std::optional<Node> parse_inner_json(std::string_view text, Place place);
/// The same for a node: the parsed list or object if it is a text that contains one, else the node itself.
[[nodiscard]] Node opened(const Node& node);

/// The inner text if a text is itself a quoted JSON string, as LlamaIndex instrumentations record it; other nodes
/// unchanged.
[[nodiscard]] Node unquoted(const Node& node);

/// Whether the word is one of the words, such as the keys that a format knows.
[[nodiscard]] inline bool is_one_of(std::string_view word, std::span<const std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Maximum nesting depth; equal to the server's limit for JSON bodies.
inline constexpr std::size_t levels_max = 64;

/// Replaces NaN, Infinity and -Infinity outside strings, as Python writes them, with null. Returns their number.
std::size_t replace_constants(std::string& json);

/// Reads `source.text`, or the part from `begin` to `end`, whose first line is `line`. nullopt: a fault was added.
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
/// The objects and lists of a text that holds only such values, one after another over any number of lines, as console
/// exporters write them. Empty: the text contains anything else, or its last value is incomplete.
[[nodiscard]] std::vector<Part> json_values(std::string_view text);

}  // namespace parley::convert
