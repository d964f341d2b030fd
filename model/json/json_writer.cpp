#include "model/json/json_writer.hpp"

#include <array>
#include <charconv>
#include <cmath>

#include "model/text/text_scan.hpp"

namespace parley::json {
namespace {

constexpr std::string_view hex = "0123456789abcdef";

/// The escape of a character that RFC 8259 does not allow raw in a string.
void append_escape(std::string& out, char c) {
  switch (c) {
    case '"': out += "\\\""; return;
    case '\\': out += "\\\\"; return;
    case '\b': out += "\\b"; return;
    case '\f': out += "\\f"; return;
    case '\n': out += "\\n"; return;
    case '\r': out += "\\r"; return;
    case '\t': out += "\\t"; return;
    default: break;
  }
  const auto byte = static_cast<unsigned char>(c);
  out += "\\u00";
  out += hex[byte >> 4];
  out += hex[byte & 15];
}

/// The characters that RFC 8259 (section 7) does not allow raw in a string.
constexpr auto needs_escape = [](auto c) { return (c < 0x20) | (c == '"') | (c == '\\'); };

}  // namespace

void append_quoted(std::string& out, std::string_view text) {
  out += '"';
  for (std::size_t plain = 0; true;) {
    const std::size_t end = find_where(text, plain, needs_escape);
    out.append(text, plain, end - plain);
    if (end == text.size()) break;
    append_escape(out, text[end]);
    plain = end + 1;
  }
  out += '"';
}

std::string number_text(double value) {
  if (!std::isfinite(value)) return "null";
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{}) return "null";
  return {text.data(), end};
}

void Writer::before_value() {
  if (needs_comma_) text_ += ',';
  needs_comma_ = true;
}

Writer& Writer::begin_object() {
  before_value();
  text_ += '{';
  needs_comma_ = false;
  return *this;
}

Writer& Writer::end_object() {
  text_ += '}';
  needs_comma_ = true;
  return *this;
}

Writer& Writer::begin_array() {
  before_value();
  text_ += '[';
  needs_comma_ = false;
  return *this;
}

Writer& Writer::end_array() {
  text_ += ']';
  needs_comma_ = true;
  return *this;
}

Writer& Writer::key(std::string_view name) {
  before_value();
  append_quoted(text_, name);
  text_ += ':';
  needs_comma_ = false;
  return *this;
}

Writer& Writer::string(std::string_view value) {
  before_value();
  append_quoted(text_, value);
  return *this;
}

Writer& Writer::integer(std::int64_t value) {
  before_value();
  text_ += std::to_string(value);
  return *this;
}

Writer& Writer::number(double value) {
  before_value();
  text_ += number_text(value);
  return *this;
}

Writer& Writer::boolean(bool value) {
  before_value();
  text_ += value ? "true" : "false";
  return *this;
}

Writer& Writer::null() {
  before_value();
  text_ += "null";
  return *this;
}

Writer& Writer::raw(std::string_view json) {
  before_value();
  text_ += json;
  return *this;
}

Writer& Writer::member(std::string_view name, std::string_view value) {
  return key(name).string(value);
}

Writer& Writer::member_or_null(std::string_view name, const std::optional<std::string>& value) {
  key(name);
  return value ? string(*value) : null();
}

}  // namespace parley::json
