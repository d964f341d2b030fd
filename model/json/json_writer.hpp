#pragma once
/// Writes JSON text piece by piece into one string; stored fragments are copied unchanged. A Writer belongs
/// to one function at a time.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::json {

/// Appends `text` as a JSON string in quotes. Needs: valid UTF-8.
void append_quoted(std::string& out, std::string_view text);
/// The shortest decimal that reads back as the same double; null for NaN and infinities (RFC 8259 has none).
[[nodiscard]] std::string number_text(double value);

/// Order: key() or member() inside an object, values inside an array; commas are placed by the writer.
class Writer {
 public:
  Writer& begin_object();
  Writer& end_object();
  Writer& begin_array();
  Writer& end_array();
  Writer& key(std::string_view name);
  Writer& string(std::string_view value);
  Writer& integer(std::int64_t value);
  Writer& number(double value);
  Writer& boolean(bool value);
  Writer& null();
  /// Inserts JSON text that is already valid.
  Writer& raw(std::string_view json);

  /// key(name).string(value)
  Writer& member(std::string_view name, std::string_view value);
  /// Like member(), or null if there is no value.
  Writer& member_or_null(std::string_view name, const std::optional<std::string>& value);

  /// Bytes written so far.
  [[nodiscard]] std::size_t size() const { return text_.size(); }
  [[nodiscard]] const std::string& peek() const { return text_; }
  void reserve(std::size_t bytes) { text_.reserve(bytes); }
  [[nodiscard]] std::string text() && { return std::move(text_); }

 private:
  void before_value();

  std::string text_;
  /// True when the next key or value follows another one on its level.
  bool needs_comma_ = false;
};

}  // namespace parley::json
