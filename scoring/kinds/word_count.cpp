// The type `word-count`.

#include <array>

#include "scoring/kinds/count_range.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace word_count_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"min", false, ConfigType::count, "Minimum number of words; this or `max` is needed."},
    ConfigKey{"max", false, ConfigType::count, "Maximum number of words."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  if (!given(config, "min") && !given(config, "max"))
    findings.add(pointer + "/min", "is required, or else max");
  check_range(config, {}, pointer, findings);
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const CountRange range = range_of(config, {});
  return decide_texts(
      config, conversation,
      {"has " + words_of(range, "word"), [&](std::string_view text) { return range.holds(words_in(text)); },
       [](std::string_view text) { return "has " + counted(words_in(text), "word"); }});
}

}  // namespace
}  // namespace word_count_kind

constinit const Kind rows::word_count{
    .name = "word-count",
    .summary = "A chatbot message has a number of words between `min` and `max`.",
    .keys = word_count_kind::keys,
    .scoped = true,
    .check = word_count_kind::check,
    .decide = word_count_kind::decide,
};

}  // namespace parley::scoring
