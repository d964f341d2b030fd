#include "scoring/kinds/ignore.hpp"

#include <algorithm>

namespace parley::scoring {

Ignored ignored_by(const json::Value& config, const Ignored& otherwise) {
  const auto words = texts_at(config, "ignore");
  if (!words) return otherwise;
  Ignored ignored;
  for (const std::string_view word : *words) ignore_by_word(ignored, word);
  return ignored;
}

std::vector<std::string> comparable_values(std::span<const std::string_view> values, const Ignored& ignored) {
  std::vector<std::string> texts(values.size());
  std::transform(values.begin(), values.end(), texts.begin(),
                 [&](std::string_view value) { return comparable(value, ignored); });
  return texts;
}

void check_comparable(const json::Value& config, const Ignored& ignored, const std::string& pointer,
                      Findings& findings) {
  std::size_t index = 0;
  for (const std::string_view value : value_or_values(config)) {
    if (comparable(value, ignored).empty())
      findings.add(pointer + value_pointer(config, index), "must hold a character that is not ignored");
    ++index;
  }
}

}  // namespace parley::scoring
