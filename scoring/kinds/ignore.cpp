#include "scoring/kinds/ignore.hpp"

namespace parley::scoring {

void check_ignore(const json::Value& config, const std::string& pointer, Findings& findings) {
  std::size_t index = 0;
  for (const std::string_view word : texts_at(config, "ignore").value_or(std::vector<std::string_view>{})) {
    Ignored ignored;
    if (!ignore_by_word(ignored, word)) {
      findings.add(pointer + "/ignore/" + std::to_string(index),
                   "must be one of " + std::string(ignore_words));
    }
    ++index;
  }
}

Ignored ignored_by(const json::Value& config, const Ignored& otherwise) {
  const auto words = texts_at(config, "ignore");
  if (!words) return otherwise;
  Ignored ignored;
  for (const std::string_view word : *words) ignore_by_word(ignored, word);
  return ignored;
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
