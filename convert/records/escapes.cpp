#include "convert/records/escapes.hpp"

#include <re2/re2.h>

#include <array>
#include <cstdint>

#include "convert/reading/source.hpp"
#include "model/json/json_writer.hpp"
#include "model/text/ascii.hpp"
#include "tester/script.hpp"

namespace parley::convert {
namespace {

struct Special {
  std::string_view bytes;
  std::string_view escape;
};
/// Characters that YAML rejects or reads as a line break, and that JSON does not escape.
constexpr std::array specials{Special{"\x7F", "\\u007f"},         Special{"\xE2\x80\xA8", "\\u2028"},
                              Special{"\xE2\x80\xA9", "\\u2029"}, Special{"\xEF\xBB\xBF", "\\ufeff"},
                              Special{"\xEF\xBF\xBE", "\\ufffe"}, Special{"\xEF\xBF\xBF", "\\uffff"}};

/// The escape for the special character at `at`; empty for other characters. C1 controls are U+0080 to U+009F.
std::string escape_at(std::string_view text, std::size_t at, std::size_t& size) {
  for (const Special& each : specials) {
    if (!text.substr(at).starts_with(each.bytes)) continue;
    size = each.bytes.size();
    return std::string(each.escape);
  }
  const auto next = [&] { return static_cast<unsigned char>(text[at + 1]); };
  if (text[at] == '\xC2' && at + 1 < text.size() && next() < 0xA0U) {
    constexpr std::string_view digits = "0123456789abcdef";
    size = 2;
    return std::string("\\u00") + digits[next() >> 4U] + digits[next() & 15U];
  }
  return {};
}

/// The text with each NUL, which the suite reader rejects, replaced by U+FFFD.
std::string without_nul(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\0') {
      out += "\xEF\xBF\xBD";
    } else {
      out += c;
    }
  }
  return out;
}

bool is_directive(std::string_view line) {
  return tester::is_script(line);
}

std::string with_escapes(std::string_view text, std::string_view escaped) {
  std::string out;
  for (const char c : text) {
    if (escaped.find(c) != std::string_view::npos) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

std::string quoted_text(std::string_view text) {
  std::string json;
  json::append_quoted(json, without_nul(text));
  std::string out;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    std::size_t size = 0;
    const bool may_be_special = c == '\x7F' || c == '\xC2' || c == '\xE2' || c == '\xEF';
    const std::string escape = may_be_special ? escape_at(json, at, size) : std::string();
    if (escape.empty()) {
      out += c;
      continue;
    }
    out += escape;
    at += size - 1;
  }
  return out;
}

std::string say_line(std::string_view text) {
  std::string quoted = quoted_text(text);
  for (std::size_t at = quoted.find("{{"); at != std::string::npos; at = quoted.find("{{", at + 6)) {
    quoted.replace(at, 1, "\\u007b");
  }
  return "say: " + quoted;
}

Prose safe_prose(std::string_view text) {
  Prose prose;
  std::string lines;
  for (const std::string_view line : lines_of(text)) {
    if (!lines.empty()) lines += '\n';
    const bool is_first_words = ascii::trimmed(line).starts_with("first:");
    if (is_directive(line) || is_first_words) {
      lines += "- ";
      prose.was_changed = true;
    }
    lines += line;
  }
  for (std::size_t at = lines.find("{{"); at != std::string::npos; at = lines.find("{{", at + 2)) {
    lines.insert(at + 1, " ");
    prose.was_changed = true;
  }
  prose.text = std::move(lines);
  return prose;
}

std::string escaped_for_wildcard(std::string_view text) {
  return with_escapes(text, "*?\\");
}

std::string glob_to_wildcard(std::string_view glob) {
  return with_escapes(glob, "?\\");
}

std::string escaped_for_pattern(std::string_view text) {
  return RE2::QuoteMeta(re2::StringPiece(text.data(), text.size()));
}

std::string dollars_doubled(std::string_view text) {
  std::string out;
  for (const char c : text) {
    out += c;
    if (c == '$') out += '$';
  }
  return out;
}

}  // namespace parley::convert
