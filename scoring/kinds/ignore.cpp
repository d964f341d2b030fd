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

std::vector<Span> spans_of_values(const json::Value& config, std::string_view text, const Ignored& ignored,
                                  Edge edge) {
  std::vector<Span> spans;
  for (const std::string_view value : value_or_values(config)) {
    if (spans.size() == limits::quotes_max) break;
    if (const auto span = place_of(text, comparable(value, ignored), ignored, edge)) spans.push_back(*span);
  }
  return spans;
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
