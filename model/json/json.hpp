#pragma once
/// Reads JSON strictly (D5) and keeps the text: numbers, escapes and unknown keys survive exactly as sent (I58).
/// A Document owns text and tree; Values are views into it and must not outlive it. Any thread; nothing is shared.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "model/limits.hpp"

namespace parley::json {

/// A JSON text kept as it was sent, compacted (no white space outside strings). Default: the empty object.
struct Text {
  std::string text = "{}";
  bool operator==(const Text&) const = default;
};

enum class Kind : std::uint8_t { null, boolean, number, string, array, object };

struct Node {
  Kind kind = Kind::null;
  bool flag = false;            ///< the value of a boolean
  std::uint32_t next = 0;       ///< index of the node after this subtree
  std::uint32_t raw_begin = 0;  ///< position of the value in the text
  std::uint32_t raw_end = 0;
  std::uint32_t text_begin = 0;  ///< decoded string in the text pool
  std::uint32_t text_size = 0;
  std::uint32_t key_begin = 0;  ///< decoded member name in the text pool
  std::uint32_t key_size = 0;
  std::uint32_t count = 0;  ///< members or items
};

class Document;

/// A value inside a Document. Cheap to copy.
class Value {
 public:
  Value(const Document* document, std::uint32_t node) : document_(document), node_(node) {}

  [[nodiscard]] Kind kind() const;
  [[nodiscard]] bool is(Kind kind) const { return this->kind() == kind; }
  /// The text as it was sent, including white space inside.
  [[nodiscard]] std::string_view raw() const;
  /// raw() without white space outside strings.
  [[nodiscard]] Text compact() const;
  /// Needs: a boolean.
  [[nodiscard]] bool boolean() const;
  /// The decoded characters. Needs: a string.
  [[nodiscard]] std::string_view string() const;
  /// The nearest double (infinite if out of range). Needs: a number.
  [[nodiscard]] double number() const;
  /// The value if it is whole and fits ("1.0" and "1e2" are whole). Needs: a number.
  [[nodiscard]] std::optional<std::int64_t> integer() const;

  /// Members of an object or items of an array.
  [[nodiscard]] std::size_t size() const;
  /// The member's name. Needs: a member of an object.
  [[nodiscard]] std::string_view key() const;
  /// The member of that name; nullopt if there is no such member or this is not an object.
  [[nodiscard]] std::optional<Value> find(std::string_view name) const;
  /// All members or items in the order of the text.
  [[nodiscard]] std::vector<Value> children() const;

 private:
  [[nodiscard]] const Node& node() const;

  const Document* document_;
  std::uint32_t node_;
};

class Document {
 public:
  Document(std::string text, std::string pool, std::vector<Node> nodes)
      : text_(std::move(text)), pool_(std::move(pool)), nodes_(std::move(nodes)) {}

  [[nodiscard]] Value root() const { return {this, 0}; }

 private:
  friend class Value;
  std::string text_;
  std::string pool_;
  std::vector<Node> nodes_;
};

/// The nesting and keys that a text may have.
struct Bounds {
  std::size_t depth_max;
  std::size_t keys_max;  ///< per object
};
/// For input from outside: bodies, answers of agents and models, configuration.
inline constexpr Bounds outside{limits::json_depth_max, limits::json_keys_max};
/// A value that was accepted once must stay readable, even if it was merged, completed or wrapped afterwards.
inline constexpr Bounds own{4 * limits::json_depth_max, SIZE_MAX};

/// Parses one JSON text (RFC 8259). Problem: invalid_json with the byte offset for malformed text, invalid
/// UTF-8, NUL bytes, duplicate keys, exceeded bounds, or trailing bytes (D5).
[[nodiscard]] Expected<Document> parse(std::string_view text, const Bounds& bounds = own);

/// The member; nullopt if it is absent or null, which mean the same (D5).
[[nodiscard]] std::optional<Value> given(const Value& object, std::string_view key);

/// `text` without white space outside strings. Needs: valid JSON.
[[nodiscard]] std::string compacted(std::string_view text);

/// The size in bytes of the value in its shortest form: strings in UTF-8 with the shortest escapes, numbers
/// as they were sent, no white space (D53). So no client pays for its library's choice of escapes. Needs: valid JSON.
[[nodiscard]] std::size_t measured_bytes(std::string_view text);
/// Whether the value is larger than `bytes_max`. For a short text, its length alone decides.
[[nodiscard]] bool is_beyond(const Text& text, std::size_t bytes_max);

/// True when both values are the same JSON value: numbers by value, object members in any order (D31).
[[nodiscard]] bool equal(const Value& a, const Value& b);
/// A text that is the same for two values exactly if they are equal(); for comparing many values with each
/// other. Not JSON.
[[nodiscard]] std::string canonical(const Value& value);

/// The value in one canonical text, independent of its encoder: no white space, strings in UTF-8 with the
/// shortest escapes (RFC 8259 section 7), numbers as they were sent. Comparisons with text use this form
/// (D31).
[[nodiscard]] std::string plain(const Value& value);
/// plain() of a compacted text. Needs: valid JSON.
[[nodiscard]] std::string plain(const Text& text);
/// The characters of a string; plain() of anything else.
[[nodiscard]] std::string as_text(const Value& value);

/// The value that an RFC 6901 pointer refers to; nullopt if it refers to nothing or is malformed.
[[nodiscard]] std::optional<Value> at_pointer(const Value& root, std::string_view pointer);
/// True for text that is an RFC 6901 pointer.
[[nodiscard]] bool is_pointer(std::string_view pointer);
/// One reference token escaped for a pointer (`~` and `/`).
[[nodiscard]] std::string pointer_token(std::string_view token);

/// The position after the string whose first quote is at `begin`; npos if the string does not end. A quote
/// ends it unless an odd number of backslashes precedes the quote. Needs: a quote at `begin`. Uses the
/// library's search functions.
[[nodiscard]] inline std::size_t string_end(std::string_view text, std::size_t begin) {
  for (std::size_t quote = begin; true;) {
    quote = text.find('"', quote + 1);
    if (quote == std::string_view::npos) return quote;
    std::size_t backslashes = 0;
    while (text[quote - backslashes - 1] == '\\') ++backslashes;
    if (backslashes % 2 == 0) return quote + 1;
  }
}

}  // namespace parley::json
