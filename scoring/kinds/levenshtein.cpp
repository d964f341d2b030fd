// The type `levenshtein`: a chatbot message is similar to a text.

#include <algorithm>
#include <array>
#include <numeric>

#include "model/json/json_writer.hpp"
#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace levenshtein_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::text, "The text it is compared with; at most 10,000 characters."},
    ConfigKey{"threshold", false, ConfigType::share,
              "Least similarity, 1 - edits / characters of the longer text; above 0, default 0.8."},
    ignore_key("Differences to ignore: case, commas, whitespace, punctuation; default none."),
};

constexpr double threshold_by_default = 0.8;
constexpr std::size_t value_chars_max = 10'000;
/// The maximum number of character pairs that one assertion compares: about a second.
constexpr std::size_t pairs_max = 1'000'000'000;

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  if (number_at(config, "threshold") == 0.0) {
    findings.add(pointer + "/threshold", "must be above 0: every text reaches a similarity of 0");
  }
  const auto value = text_at(config, "value");
  if (value && chars_in(*value) > value_chars_max) {
    findings.add(pointer + "/value", "must have at most " + std::to_string(value_chars_max) + " characters");
  }
}

/// The number of insertions, deletions and replacements that turn one text into the other.
std::size_t distance(std::u32string_view one, std::u32string_view other) {
  std::vector<std::size_t> row(other.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < one.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t replaced = diagonal + (one[i] == other[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

double similarity(std::u32string_view one, std::u32string_view other) {
  const std::size_t longer = std::max(one.size(), other.size());
  if (longer == 0) return 1;
  return 1 - static_cast<double>(distance(one, other)) / static_cast<double>(longer);
}

/// The upper bound for any two texts of these lengths.
double similarity_max(std::size_t one, std::size_t other) {
  const std::size_t longer = std::max(one, other);
  return longer == 0 ? 1 : static_cast<double>(std::min(one, other)) / static_cast<double>(longer);
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const Ignored ignored = ignored_by(config, {});
  const double threshold = number_at(config, "threshold").value_or(threshold_by_default);
  const std::string_view value = text_at(config, "value").value_or("");
  const std::u32string wanted = code_points(comparable(value, ignored));
  const ScopedTexts scoped = texts_in_scope(config, conversation);

  std::size_t pairs = 0;
  for (const ScopedText& one : scoped.texts) {
    const std::size_t chars = chars_in(comparable(one.text, ignored));
    if (at_least(similarity_max(chars, wanted.size()), threshold)) pairs += chars * wanted.size();
  }
  if (pairs > pairs_max)
    return {.found = "The texts are too long and too many to be compared by their edits."};

  constexpr std::size_t pairs_a_step = 4;
  if (!conversation.work().take(pairs / pairs_a_step)) return {.found = std::string(too_much_work)};
  const auto found_similarity = [&](std::string_view text) {
    const std::u32string points = code_points(comparable(text, ignored));
    const double most = similarity_max(points.size(), wanted.size());
    return at_least(most, threshold) ? similarity(points, wanted) : most;
  };
  return decide_texts(
      config, scoped, conversation,
      {"is similar to " + in_quotes(value) + " by " + json::number_text(threshold) + " or more",
       [&](std::string_view text) { return at_least(found_similarity(text), threshold); },
       [&](std::string_view text) {
         return "is similar by " + json::number_text(dusted(found_similarity(text))) + ": " + in_quotes(text);
       }});
}

}  // namespace
}  // namespace levenshtein_kind

constinit const Kind rows::levenshtein{
    .name = "levenshtein",
    .summary = "A chatbot message equals a text except for a few edits.",
    .keys = levenshtein_kind::keys,
    .scoped = true,
    .check = levenshtein_kind::check,
    .decide = levenshtein_kind::decide,
};

}  // namespace parley::scoring
