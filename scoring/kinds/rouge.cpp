// The type `rouge`: a chatbot message shares words with a reference text.

#include <algorithm>
#include <array>
#include <map>

#include "model/json/json_writer.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace rouge_kind {
namespace {

constexpr std::array<std::string_view, 2> measure_words{"rouge-1", "rouge-l"};

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::text, "The reference text; at most 10,000 words."},
    word_key("measure", measure_words,
             "rouge-1 (default): words in common; rouge-l: the longest common sequence of words."),
    ConfigKey{"threshold", false, ConfigType::share, "Least F1 score; above 0, default 0.8."},
};

constexpr double threshold_by_default = 0.8;
constexpr std::size_t value_words_max = 10'000;
/// The maximum number of word pairs that rouge-l compares: about a second.
constexpr std::size_t pairs_max = 1'000'000'000;

using Tokens = std::vector<std::string_view>;

bool is_of_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || (static_cast<unsigned char>(c) & 0x80U) != 0;
}

/// The words of the text: sequences of letters and digits. Needs: a text without letter case.
Tokens tokens_of(std::string_view text) {
  Tokens tokens;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end > at) tokens.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return tokens;
}

std::size_t words_in_common(const Tokens& one, const Tokens& other) {
  std::map<std::string_view, std::size_t> counts;
  for (const std::string_view token : one) ++counts[token];
  std::size_t common = 0;
  for (const std::string_view token : other) {
    const auto found = counts.find(token);
    if (found == counts.end() || found->second == 0) continue;
    --found->second;
    ++common;
  }
  return common;
}

std::size_t longest_sequence(const Tokens& one, const Tokens& other) {
  std::vector<std::size_t> row(other.size() + 1);
  for (const std::string_view token : one) {
    std::size_t diagonal = 0;
    for (std::size_t j = 0; j < other.size(); ++j) {
      const std::size_t above = row[j + 1];
      row[j + 1] = token == other[j] ? diagonal + 1 : std::max(above, row[j]);
      diagonal = above;
    }
  }
  return row.back();
}

/// The F1 score of precision and recall: 2 x common / (words of both).
double score_of(std::size_t common, std::size_t one, std::size_t other) {
  return one + other == 0 ? 0 : 2.0 * static_cast<double>(common) / static_cast<double>(one + other);
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  if (number_at(config, "threshold") == 0.0) {
    findings.add(pointer + "/threshold", "must be above 0: every text reaches a similarity of 0");
  }
  const auto value = text_at(config, "value");
  if (!value) return;
  const std::string folded = comparable(*value, {.letter_case = true});
  const std::size_t words = tokens_of(folded).size();
  if (words == 0) findings.add(pointer + "/value", "must have at least one word");
  if (words > value_words_max) {
    findings.add(pointer + "/value", "must have at most " + std::to_string(value_words_max) + " words");
  }
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view value = text_at(config, "value").value_or("");
  const double threshold = number_at(config, "threshold").value_or(threshold_by_default);
  const bool is_sequence = text_at(config, "measure") == "rouge-l";
  const std::string folded_value = comparable(value, {.letter_case = true});
  const Tokens wanted = tokens_of(folded_value);
  const ScopedTexts scoped = texts_in_scope(config, conversation);

  if (is_sequence) {
    std::size_t pairs = 0;
    for (const ScopedText& each : scoped.texts) pairs += (each.text.size() / 2 + 1) * wanted.size();
    constexpr std::size_t pairs_a_step = 4;
    if (pairs > pairs_max)
      return {.found = "The texts are too long and too many to be compared word by word."};
    if (!conversation.work().take(pairs / pairs_a_step)) return {.found = std::string(too_much_work)};
  }
  const auto score = [&](std::string_view text) {
    const std::string folded = comparable(text, {.letter_case = true});
    const Tokens tokens = tokens_of(folded);
    const std::size_t common =
        is_sequence ? longest_sequence(tokens, wanted) : words_in_common(tokens, wanted);
    return score_of(common, tokens.size(), wanted.size());
  };
  return decide_texts(
      config, scoped, conversation,
      {"shares words with " + in_quotes(value) + " by " + json::number_text(threshold) + " or more",
       [&](std::string_view text) { return at_least(score(text), threshold); },
       [&](std::string_view text) {
         return "shares words by " + json::number_text(dusted(score(text))) + ": " + in_quotes(text);
       },
       8});
}

}  // namespace
}  // namespace rouge_kind

constinit const Kind rows::rouge{
    .name = "rouge",
    .summary = "A chatbot message shares words with a reference text (ROUGE-1 or ROUGE-L).",
    .keys = rouge_kind::keys,
    .scoped = true,
    .check = rouge_kind::check,
    .decide = rouge_kind::decide,
};

}  // namespace parley::scoring
