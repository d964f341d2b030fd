#include "client/report/safe_text.hpp"

#include <fmt/format.h>
#include <utf8proc.h>

#include <array>
#include <utility>

namespace parley::client {
namespace {

struct Symbol {
  utf8proc_int32_t code = 0xFFFD;
  std::size_t bytes = 1;
  bool is_valid = false;
};

Symbol symbol_at(std::string_view text, std::size_t at) {
  utf8proc_int32_t code = 0;
  const auto* bytes = reinterpret_cast<const utf8proc_uint8_t*>(text.data()) + at;
  const auto size = utf8proc_iterate(bytes, static_cast<utf8proc_ssize_t>(text.size() - at), &code);
  if (size <= 0) return {};
  return {code, static_cast<std::size_t>(size), true};
}

/// Whether a character is invisible or changes how others are displayed. Joiners are allowed, because languages and
/// emoji need them. Unassigned characters are allowed, because a later version of Unicode may assign them, except in
/// the invisible ranges.
bool is_hidden(utf8proc_int32_t code) {
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true;
  if (code == 0x200c || code == 0x200d) return false;
  const bool is_separator = code == 0x2028 || code == 0x2029;
  const bool is_invisible = code == 0x2065 || (code >= 0xe0000 && code < 0xe0100);
  const auto category = utf8proc_category(code);
  return is_separator || is_invisible || category == UTF8PROC_CATEGORY_CF || category == UTF8PROC_CATEGORY_CO;
}

void append_escape(std::string& out, utf8proc_int32_t code) {
  if (code == '\n') {
    out += "\\n";
  } else if (code == '\t') {
    out += ' ';
  } else if (code < 0x100) {
    out += fmt::format("\\x{:02x}", code);
  } else {
    out += code < 0x10000 ? fmt::format("\\u{:04x}", code) : fmt::format("\\U{:08x}", code);
  }
}

std::string escaped(std::string_view text, bool keeps_lines) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Symbol symbol = symbol_at(text, at);
    const bool is_line_end = symbol.code == '\r' && at + 1 < text.size() && text[at + 1] == '\n';
    if (!symbol.is_valid) {
      out += "\xEF\xBF\xBD";
    } else if (keeps_lines && symbol.code == '\n') {
      out += '\n';
    } else if (is_line_end) {
      // skip it: the line feed follows
    } else if (is_hidden(symbol.code)) {
      append_escape(out, symbol.code);
    } else {
      out.append(text.substr(at, symbol.bytes));
    }
    at += symbol.bytes;
  }
  return out;
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

std::size_t width_of(utf8proc_int32_t code) {
  const int width = utf8proc_charwidth(code);
  return width < 0 ? 0 : static_cast<std::size_t>(width);
}

constexpr std::array<std::pair<std::string_view, std::string_view>, 17> substitutes{{
    {"·", "-"},
    {"…", "..."},
    {"✓", "+"},
    {"✗", "x"},
    {"█", "#"},
    {"░", "."},
    {"▌", "["},
    {"▐", "]"},
    {"–", "-"},
    {"×", "x"},
    {"→", "->"},
    {"│", "|"},
    {"└", "`"},
    {"≤", "<="},
    {"⚠", "!"},
    {"●", "*"},
    {"›", ">"},
}};

}  // namespace

std::string without_log_commands(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool is_second = at > 0 && text[at] == '#' && text[at - 1] == '#';
    std::size_t end = at + 1;
    while (is_second && end < text.size() && is_letter(text[end])) ++end;
    const bool is_command = is_second && end < text.size() && text[end] == '[';
    out.append(is_command ? "\\x23" : text.substr(at, 1));
  }
  return out;
}

std::string one_line(std::string_view text) {
  return without_log_commands(escaped(text, false));
}

std::string several_lines(std::string_view text) {
  return without_log_commands(escaped(text, true));
}

std::size_t columns_of(std::string_view text) {
  std::size_t columns = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Symbol symbol = symbol_at(text, at);
    columns += width_of(symbol.code);
    at += symbol.bytes;
  }
  return columns;
}

std::string fitted(std::string_view text, std::size_t columns, bool is_utf8) {
  if (columns_of(text) <= columns) return std::string(text);
  const std::string_view mark = is_utf8 ? "…" : "...";
  const std::size_t mark_columns = is_utf8 ? 1 : 3;
  if (columns < mark_columns) return std::string(columns, '.');
  std::string out;
  std::size_t used = 0;
  for (std::size_t at = 0; at < text.size();) {
    const Symbol symbol = symbol_at(text, at);
    const std::size_t width = width_of(symbol.code);
    if (used + width + mark_columns > columns) break;
    out.append(text.substr(at, symbol.bytes));
    used += width;
    at += symbol.bytes;
  }
  return out.append(mark);
}

std::string padded(std::string_view text, std::size_t columns, bool is_utf8) {
  std::string out = fitted(text, columns, is_utf8);
  const std::size_t used = columns_of(out);
  return out.append(columns > used ? columns - used : 0, ' ');
}

std::string in_ascii(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const Symbol symbol = symbol_at(text, at);
    const std::string_view bytes = text.substr(at, symbol.bytes);
    at += symbol.bytes;
    if (symbol.code < 0x80 && symbol.is_valid) {
      out.append(bytes);
      continue;
    }
    std::string_view found = "?";
    for (const auto& [symbol_bytes, substitute] : substitutes)
      if (symbol_bytes == bytes) found = substitute;
    out.append(found);
  }
  return out;
}

}  // namespace parley::client
