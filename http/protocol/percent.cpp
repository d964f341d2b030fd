#include "http/protocol/percent.hpp"

#include <cstddef>

#include "model/text/uri_text.hpp"
#include "model/text/utf8.hpp"

namespace parley::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::optional<std::string> percent_decoded(std::string_view text, Plus plus) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '+' && plus == Plus::space) {
      out += ' ';
      continue;
    }
    if (text[at] != '%') {
      out += text[at];
      continue;
    }
    if (at + 2 >= text.size()) return std::nullopt;
    const int high = hex_digit(text[at + 1]);
    const int low = hex_digit(text[at + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    out += static_cast<char>(high * 16 + low);
    at += 2;
  }
  if (out.find('\0') != std::string::npos || !is_utf8(out)) return std::nullopt;
  return out;
}

std::string safe_in_link(std::string_view text) {
  constexpr std::string_view unsafe = "<>\"\\^`{|} ";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte > 0x20 && byte < 0x7f && unsafe.find(c) == std::string_view::npos) {
      out += c;
      continue;
    }
    append_escape(out, byte);
  }
  return out;
}

std::string normal_path(std::string_view path) {
  if (path.find('%') == std::string_view::npos) return std::string(path);
  std::string out;
  out.reserve(path.size());
  for (std::size_t at = 0; at < path.size(); ++at) {
    const bool is_escape = path[at] == '%' && at + 2 < path.size();
    const int high = is_escape ? hex_digit(path[at + 1]) : -1;
    const int low = is_escape ? hex_digit(path[at + 2]) : -1;
    if (high < 0 || low < 0) {
      out += path[at];
      continue;
    }
    const int byte = high * 16 + low;
    if (const char c = static_cast<char>(byte); is_unreserved(c)) {
      out += c;
    } else {
      append_escape(out, static_cast<unsigned char>(byte));
    }
    at += 2;
  }
  return out;
}

}  // namespace parley::http
