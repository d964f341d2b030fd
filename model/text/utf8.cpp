#include "model/text/utf8.hpp"

#include "model/text/text_scan.hpp"

namespace parley {
namespace {

/// The length of the sequence that `lead` begins and the bounds of its second byte (Unicode table 3-7);
/// length 0: invalid.
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

/// The length of the sequence at `at`; 0 if it is not well-formed.
std::size_t length_at(std::string_view text, std::size_t at) {
  const Sequence sequence = sequence_of(static_cast<unsigned char>(text[at]));
  if (at + sequence.length > text.size()) return 0;
  for (std::size_t i = 1; i < sequence.length; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    const unsigned char least = i == 1 ? sequence.second_least : 0x80;
    const unsigned char most = i == 1 ? sequence.second_most : 0xbf;
    if (byte < least || byte > most) return 0;
  }
  return sequence.length;
}

/// The next byte from `at` on that is not ASCII; most texts have few.
std::size_t next_other(std::string_view text, std::size_t at) {
  return find_where(text, at, [](auto c) { return c >= 0x80; });
}

}  // namespace

std::size_t utf8_fault(std::string_view text) {
  for (std::size_t at = next_other(text, 0); at < text.size();) {
    const std::size_t length = length_at(text, at);
    if (length == 0) return at;
    at = length == 1 ? next_other(text, at + 1) : at + length;
  }
  return std::string_view::npos;
}

}  // namespace parley
