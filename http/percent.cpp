#include "http/percent.hpp"

#include <cstddef>

#include "model/uri_text.hpp"

namespace parley::http {
namespace {

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

/// Length of the sequence that `lead` begins and the bounds of its second byte (Unicode table 3-7); length 0:
/// none.
struct Sequence {
  std::size_t length;
  unsigned char second_least;
  unsigned char second_most;
};

Sequence sequence_of(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead >= 0xc2 && lead <= 0xdf) return {2, 0x80, 0xbf};
  if (lead == 0xe0) return {3, 0xa0, 0xbf};
  if (lead == 0xed) return {3, 0x80, 0x9f};
  if (lead >= 0xe1 && lead <= 0xef) return {3, 0x80, 0xbf};
  if (lead == 0xf0) return {4, 0x90, 0xbf};
  if (lead >= 0xf1 && lead <= 0xf3) return {4, 0x80, 0xbf};
  if (lead == 0xf4) return {4, 0x80, 0x8f};
  return {0, 0, 0};
}

}  // namespace

bool is_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Sequence sequence = sequence_of(static_cast<unsigned char>(text[at]));
    if (sequence.length == 0 || at + sequence.length > text.size()) return false;
    for (std::size_t i = 1; i < sequence.length; ++i) {
      const auto byte = static_cast<unsigned char>(text[at + i]);
      const unsigned char least = i == 1 ? sequence.second_least : 0x80;
      const unsigned char most = i == 1 ? sequence.second_most : 0xbf;
      if (byte < least || byte > most) return false;
    }
    at += sequence.length;
  }
  return true;
}

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
