#pragma once
/// `config.ignore` of the types that compare texts (D31). Pure functions; any thread.

#include "scoring/support/config.hpp"
#include "scoring/support/kind.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {

/// The key `ignore` with the type's own description.
[[nodiscard]] constexpr ConfigKey ignore_key(std::string_view sentence) {
  return {"ignore", false, ConfigType::names, sentence, config_items_max, ignore_words};
}
/// The value of `ignore`, or `otherwise` if it is absent.
[[nodiscard]] Ignored ignored_by(const json::Value& config, const Ignored& otherwise);

/// Converts the values to the form in which texts are compared.
[[nodiscard]] std::vector<std::string> comparable_values(std::span<const std::string_view> values,
                                                         const Ignored& ignored);

/// The positions in the text of `value`, or of each of `values`.
[[nodiscard]] std::vector<Span> spans_of_values(const json::Value& config, std::string_view text,
                                                const Ignored& ignored, Edge edge);

/// Adds a fault for each of `value` or `values` that consists only of ignored characters. Every text contains
/// such a text, so a check for it could never fail.
void check_comparable(const json::Value& config, const Ignored& ignored, const std::string& pointer,
                      Findings& findings);

}  // namespace parley::scoring
