#include "model/text/function_names.hpp"

#include <algorithm>

#include "model/text/ascii.hpp"

namespace parley {
namespace {

constexpr std::size_t name_bytes_max = 64;

bool may_stand(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '-';
}

/// True for the bytes of a character after its first.
bool continues(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::string spelt(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (continues(c)) continue;
    text += may_stand(c) ? c : '_';
  }
  text.resize(std::min(text.size(), name_bytes_max));
  return text.empty() ? "_" : text;
}

}  // namespace

bool is_function_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max && std::all_of(name.begin(), name.end(), may_stand);
}

void FunctionNames::expect(std::string_view name) {
  if (is_function_name(name)) (void)of(name);
}

void FunctionNames::give(std::string_view name, std::string text) {
  taken_.insert(text);
  sent_.insert_or_assign(std::string(name), std::move(text));
}

std::string FunctionNames::of(std::string_view name) {
  const auto found = sent_.find(name);
  if (found != sent_.end()) return found->second;
  std::string text = spelt(name);
  if (!taken_.insert(text).second) text = numbered(text);
  sent_.emplace(name, text);
  return text;
}

/// The first free one of `base_2`, `base_3` and so on, with as much of the base as fits with the number.
std::string FunctionNames::numbered(const std::string& base) {
  std::size_t end = 10;  // the first number with one more digit
  for (std::size_t digits = 1;; ++digits, end *= 10) {
    const std::string stem = base.substr(0, name_bytes_max - digits - 1);
    std::size_t& next = next_.try_emplace({stem, digits}, digits == 1 ? 2 : end / 10).first->second;
    while (next < end) {
      std::string text = stem + '_' + std::to_string(next++);
      if (taken_.insert(text).second) return text;
    }
  }
}

}  // namespace parley
