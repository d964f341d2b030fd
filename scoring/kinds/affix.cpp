// The types `starts-with` and `ends-with`.

#include <algorithm>
#include <array>

#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace affix_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", false, ConfigType::text, "The text; this or `values` is needed."},
    ConfigKey{"values", false, ConfigType::texts, "Several, one of which is enough."},
    ignore_key("Differences to ignore: case, commas, whitespace, punctuation; default [\"case\"]."),
};

constexpr Ignored ignored_by_default{.letter_case = true};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_value_or_values(config, pointer, findings);
  check_comparable(config, ignored_by(config, ignored_by_default), pointer, findings);
}

Verdict decide_affix(const json::Value& config, Conversation& conversation, std::string_view verb,
                     bool (*has)(std::string_view text, std::string_view affix)) {
  const Ignored ignored = ignored_by(config, ignored_by_default);
  const auto values = value_or_values(config);
  const auto wanted = comparable_values(values, ignored);
  const auto holds_one = [&](std::string_view message) {
    const std::string text = comparable(message, ignored);
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const std::string& affix) { return has(text, affix); });
  };
  const std::string_view several = values.size() < 2 ? "" : "one of ";
  return decide_texts(config, conversation,
                      {std::string(verb) + std::string(several) + quoted_list(values), holds_one});
}

Verdict decide_starts(const json::Value& config, Conversation& conversation) {
  return decide_affix(config, conversation, "starts with ",
                      [](std::string_view text, std::string_view affix) { return text.starts_with(affix); });
}

Verdict decide_ends(const json::Value& config, Conversation& conversation) {
  return decide_affix(config, conversation, "ends with ",
                      [](std::string_view text, std::string_view affix) { return text.ends_with(affix); });
}

std::vector<Span> spans_at_start(const json::Value& config, std::string_view text, Conversation&) {
  return spans_of_values(config, text, ignored_by(config, ignored_by_default), Edge::start);
}

std::vector<Span> spans_at_end(const json::Value& config, std::string_view text, Conversation&) {
  return spans_of_values(config, text, ignored_by(config, ignored_by_default), Edge::end);
}

}  // namespace
}  // namespace affix_kind

constinit const Kind rows::ends_with{
    .name = "ends-with",
    .summary = "A chatbot message ends with a text.",
    .keys = affix_kind::keys,
    .scoped = true,
    .check = affix_kind::check,
    .decide = affix_kind::decide_ends,
    .spans = affix_kind::spans_at_end,
};

constinit const Kind rows::starts_with{
    .name = "starts-with",
    .summary = "A chatbot message starts with a text.",
    .keys = affix_kind::keys,
    .scoped = true,
    .check = affix_kind::check,
    .decide = affix_kind::decide_starts,
    .spans = affix_kind::spans_at_start,
};

}  // namespace parley::scoring
