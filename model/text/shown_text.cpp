#include "model/text/shown_text.hpp"

#include <utf8proc.h>

#include <algorithm>
#include <array>

namespace parley {
namespace {

/// Invisible characters that their category does not reveal: fillers, and variation selectors except the one
/// for emoji.
struct Range {
  utf8proc_int32_t first;
  utf8proc_int32_t last;
};
constexpr std::array<Range, 11> blank_ranges{{{0x034f, 0x034f},
                                              {0x115f, 0x1160},
                                              {0x17b4, 0x17b5},
                                              {0x180b, 0x180f},
                                              {0x2800, 0x2800},
                                              {0x3164, 0x3164},
                                              {0xfe00, 0xfe0e},
                                              {0xffa0, 0xffa0},
                                              {0xfff0, 0xfff8},
                                              {0xe0000, 0xe00ff},
                                              {0xe0100, 0xe0fff}}};

bool is_invisible(utf8proc_int32_t point) {
  if (point == '\n' || point == '\t' || point == '\r') return false;
  switch (utf8proc_category(point)) {
    case UTF8PROC_CATEGORY_CC:
    case UTF8PROC_CATEGORY_CF:
    case UTF8PROC_CATEGORY_CO:
    case UTF8PROC_CATEGORY_CS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP: return true;
    default: break;
  }
  return std::any_of(blank_ranges.begin(), blank_ranges.end(),
                     [&](const Range& range) { return point >= range.first && point <= range.last; });
}

void append_unit(std::string& out, unsigned unit) {
  constexpr std::string_view hex_digits = "0123456789abcdef";
  out += "\\u";
  for (const unsigned shift : {12U, 8U, 4U, 0U}) out += hex_digits[(unit >> shift) & 0xfU];
}

void append_escaped(std::string& out, utf8proc_int32_t point) {
  const auto code = static_cast<unsigned>(point);
  if (code < 0x10000) return append_unit(out, code);
  append_unit(out, 0xd800U + ((code - 0x10000U) >> 10U));
  append_unit(out, 0xdc00U + ((code - 0x10000U) & 0x3ffU));
}

}  // namespace

std::string shown_text(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    utf8proc_int32_t point = 0;
    const auto read = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data()),
                                       static_cast<utf8proc_ssize_t>(text.size()), &point);
    const std::size_t bytes = read > 0 ? static_cast<std::size_t>(read) : 1;
    if (read <= 0) {
      append_unit(out, 0xfffd);
    } else if (is_invisible(point)) {
      append_escaped(out, point);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(bytes);
  }
  return out;
}

std::string_view cut_text(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace parley
