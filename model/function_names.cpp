#include "model/function_names.hpp"

#include <algorithm>

#include "model/ascii.hpp"

namespace parley {
namespace {

constexpr std::size_t name_bytes_max = 64;

bool may_stand(char c) {
  return ascii::is_letter(c) || ascii::is_digit(c) || c == '_' || c == '-';
}

/// The bytes of a character behind its first.
bool goes_on(char c) {
  return (static_cast<unsigned char>(c) & 0xc0) == 0x80;
}

std::string spelt(std::string_view name) {
  std::string text;
  for (const char c : name) {
    if (goes_on(c)) continue;
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
  if (is_function_name(name)) taken_.emplace(name);
}

std::string FunctionNames::of(std::string_view name) {
  if (is_function_name(name)) {
    taken_.emplace(name);
    return std::string(name);
  }
  const auto found = sent_.find(name);
  if (found != sent_.end()) return found->second;
  const std::string base = spelt(name);
  std::string text = base;
  for (std::size_t count = 2; !taken_.insert(text).second; ++count) {
    const std::string number = "_" + std::to_string(count);
    text = base.substr(0, name_bytes_max - number.size()) + number;
  }
  sent_.emplace(name, text);
  return text;
}

}  // namespace parley
