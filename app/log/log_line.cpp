#include "app/log/log_line.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"
#include "model/text/utf8.hpp"

namespace parley::app {
namespace {

constexpr std::array<std::string_view, 3> always_text{"id", "request", "trace"};
/// A double cannot represent all digits of a longer number.
constexpr std::size_t digits_max = 15;

struct LogField {
  std::string_view key;
  std::string_view value;
  bool is_quoted = false;
};

/// The length of a `key=` at the start of the text; 0 if it does not start with a key.
std::size_t key_length(std::string_view text) {
  const auto is_word = [](char c) { return ascii::is_lower(c) || ascii::is_digit(c) || c == '_'; };
  const auto end = std::find_if_not(text.begin(), text.end(), is_word);
  const bool is_key =
      end != text.begin() && end != text.end() && *end == '=' && !ascii::is_digit(text.front());
  return is_key ? static_cast<std::size_t>(end - text.begin()) + 1 : 0;
}

/// The position of the space before the next field; the text's size if no field follows.
std::size_t next_field(std::string_view text, std::size_t from) {
  for (std::size_t at = text.find(' ', from); at != text.npos; at = text.find(' ', at + 1)) {
    if (key_length(text.substr(at + 1)) > 0) return at;
  }
  return text.size();
}

/// The length of a quoted value at the start of the text; 0 if the text is not quoted.
std::size_t quoted_length(std::string_view text) {
  if (!text.starts_with("\"")) return 0;
  for (std::size_t at = text.rfind('"'); at != text.npos && at > 0; at = text.rfind('"', at - 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (rest.empty() || (rest.front() == ' ' && key_length(rest.substr(1)) > 0)) return at + 1;
  }
  return 0;
}

LogField take_field(std::string_view& text) {
  const std::size_t key = key_length(text);
  LogField field{text.substr(0, key - 1), {}, false};
  text.remove_prefix(key);
  const std::size_t quoted = quoted_length(text);
  field.is_quoted = quoted > 0;
  const std::size_t length = quoted > 0 ? quoted : next_field(text, 0);
  field.value = quoted > 0 ? text.substr(1, length - 2) : text.substr(0, length);
  text.remove_prefix(std::min(length + 1, text.size()));
  return field;
}

/// Whether the value is a number as in JSON: digits without a leading zero, with an optional fraction.
bool is_number(const LogField& field) {
  std::string_view text = field.value;
  const bool is_text = std::find(always_text.begin(), always_text.end(), field.key) != always_text.end();
  if (field.is_quoted || is_text || text.size() > digits_max) return false;
  if (text.starts_with("-")) text.remove_prefix(1);
  const auto point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  if (whole.empty() || (whole.size() > 1 && whole.front() == '0')) return false;
  if (point < text.size() && fraction.empty()) return false;
  return std::all_of(whole.begin(), whole.end(), ascii::is_digit) &&
         std::all_of(fraction.begin(), fraction.end(), ascii::is_digit);
}

/// Escapes bytes that are not UTF-8 as in the text form of the log.
std::string shown(std::string_view text) {
  if (is_utf8(text)) return std::string(text);
  constexpr std::string_view hex_digits = "0123456789abcdef";
  std::string shown;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      shown += c;
    } else {
      shown.append("\\x").append(1, hex_digits[byte >> 4]).append(1, hex_digits[byte & 15]);
    }
  }
  return shown;
}

/// Returns a member name that is not used yet.
std::string free_name(std::string_view key, std::vector<std::string>& taken) {
  std::string name(key);
  for (int n = 2; std::find(taken.begin(), taken.end(), name) != taken.end(); ++n)
    name = std::string(key) + "_" + std::to_string(n);
  taken.push_back(name);
  return name;
}

}  // namespace

std::string json_line(const LogEvent& event) {
  const std::size_t words = key_length(event.text) > 0 ? 0 : next_field(event.text, 0);
  json::Writer line;
  line.begin_object();
  line.member("time", to_text(event.time));
  line.member("level", event.level);
  line.member("event", shown(event.text.substr(0, words)));
  std::vector<std::string> taken{"time", "level", "event"};
  std::string_view rest = event.text.substr(words);
  if (rest.starts_with(" ")) rest.remove_prefix(1);
  while (!rest.empty()) {
    const LogField field = take_field(rest);
    line.key(free_name(field.key, taken));
    if (is_number(field)) {
      line.raw(field.value);
    } else {
      line.string(shown(field.value));
    }
  }
  line.end_object();
  return std::move(line).text();
}

}  // namespace parley::app
