#include "model/text/header_field_text.hpp"

#include <algorithm>
#include <array>

#include "model/text/ascii.hpp"

namespace parley {
namespace {

constexpr std::array<bool, 256> token_chars = [] {
  std::array<bool, 256> chars{};
  for (int c = '0'; c <= '9'; ++c) chars[static_cast<std::size_t>(c)] = true;
  for (int c = 'a'; c <= 'z'; ++c) chars[static_cast<std::size_t>(c)] = true;
  for (int c = 'A'; c <= 'Z'; ++c) chars[static_cast<std::size_t>(c)] = true;
  for (const char c : std::string_view("!#$%&'*+-.^_`|~")) chars[static_cast<unsigned char>(c)] = true;
  return chars;
}();

constexpr std::array<bool, 256> field_chars = [] {
  std::array<bool, 256> chars{};
  for (std::size_t c = 0x20; c < chars.size(); ++c) chars[c] = c != 0x7F;
  chars['\t'] = true;
  return chars;
}();

}  // namespace

bool is_token_char(char c) {
  return token_chars[static_cast<unsigned char>(c)];
}

bool is_token(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_token_char);
}

bool is_field_text(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return field_chars[static_cast<unsigned char>(c)]; });
}

bool same_ignoring_case(std::string_view left, std::string_view right) {
  return left.size() == right.size() &&
         std::equal(left.begin(), left.end(), right.begin(),
                    [](char a, char b) { return ascii::lower(a) == ascii::lower(b); });
}

}  // namespace parley
