// The types `contains`, `icontains`, `contains-any` and `contains-all`: a chatbot message contains a text.

#include <algorithm>
#include <array>

#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace contains_kind {
namespace {

constexpr ConfigKey value_key{"value", false, ConfigType::text, "The text; this or `values` is needed."};
constexpr ConfigKey needed_values_key{"values", true, ConfigType::texts, "The texts."};
constexpr ConfigKey what_is_ignored =
    ignore_key("Differences to ignore: case, commas, whitespace, punctuation; default [\"case\"].");
constexpr std::array<std::string_view, 2> match_words{"any", "all"};

constexpr std::array keys{
    value_key,
    ConfigKey{"values", false, ConfigType::texts, "Several texts."},
    word_key("match", match_words,
             "any (default): one of `values` is enough; all: one message has them all."),
    what_is_ignored,
};
constexpr std::array several_keys{needed_values_key, what_is_ignored};
constexpr std::array icontains_keys{
    ConfigKey{"value", true, ConfigType::text, "The text."},
    ignore_key("What does not count besides case: commas, whitespace, punctuation."),
};

constexpr Ignored ignored_by_default{.letter_case = true};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_value_or_values(config, pointer, findings);
  check_comparable(config, ignored_by(config, ignored_by_default), pointer, findings);
}

void check_several(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_comparable(config, ignored_by(config, ignored_by_default), pointer, findings);
}

Ignored case_and(const json::Value& config) {
  Ignored ignored = ignored_by(config, {});
  ignored.letter_case = true;
  return ignored;
}

void check_icontains(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_comparable(config, case_and(config), pointer, findings);
}

enum class Match : std::uint8_t { any, all };

Verdict decide_holds(const json::Value& config, Conversation& conversation, const Ignored& ignored,
                     Match match) {
  const bool all = match == Match::all;
  const auto values = value_or_values(config);
  const auto wanted = comparable_values(values, ignored);

  const auto in_message = [&](std::string_view message) {
    const std::string text = comparable(message, ignored);
    const auto in_text = [&text](const std::string& part) { return holds(text, part); };
    return all ? std::all_of(wanted.begin(), wanted.end(), in_text)
               : std::any_of(wanted.begin(), wanted.end(), in_text);
  };
  const std::string_view several = values.size() < 2 ? "" : all ? "all of " : "one of ";
  constexpr Steps values_a_step = 4;
  return decide_texts(config, conversation,
                      {.what = "contains " + std::string(several) + quoted_list(values),
                       .holds = in_message,
                       .steps_per_byte = values.size() / values_a_step});
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  return decide_holds(config, conversation, ignored_by(config, ignored_by_default),
                      text_at(config, "match") == "all" ? Match::all : Match::any);
}

Verdict decide_any(const json::Value& config, Conversation& conversation) {
  return decide_holds(config, conversation, ignored_by(config, ignored_by_default), Match::any);
}

Verdict decide_all(const json::Value& config, Conversation& conversation) {
  return decide_holds(config, conversation, ignored_by(config, ignored_by_default), Match::all);
}

Verdict decide_icontains(const json::Value& config, Conversation& conversation) {
  return decide_holds(config, conversation, case_and(config), Match::any);
}

std::vector<Span> spans(const json::Value& config, std::string_view text, Conversation&) {
  return spans_of_values(config, text, ignored_by(config, ignored_by_default), Edge::none);
}

std::vector<Span> spans_of_icontains(const json::Value& config, std::string_view text, Conversation&) {
  return spans_of_values(config, text, case_and(config), Edge::none);
}

}  // namespace
}  // namespace contains_kind

constinit const Kind rows::contains{
    .name = "contains",
    .summary = "A chatbot message contains a text.",
    .keys = contains_kind::keys,
    .scoped = true,
    .check = contains_kind::check,
    .decide = contains_kind::decide,
    .spans = contains_kind::spans,
};

constinit const Kind rows::contains_all{
    .name = "contains-all",
    .summary = "A chatbot message contains all of several texts.",
    .keys = contains_kind::several_keys,
    .scoped = true,
    .check = contains_kind::check_several,
    .decide = contains_kind::decide_all,
    .spans = contains_kind::spans,
};

constinit const Kind rows::contains_any{
    .name = "contains-any",
    .summary = "A chatbot message contains one of several texts.",
    .keys = contains_kind::several_keys,
    .scoped = true,
    .check = contains_kind::check_several,
    .decide = contains_kind::decide_any,
    .spans = contains_kind::spans,
};

constinit const Kind rows::icontains{
    .name = "icontains",
    .summary = "A chatbot message contains a text, ignoring letter case.",
    .keys = contains_kind::icontains_keys,
    .scoped = true,
    .check = contains_kind::check_icontains,
    .decide = contains_kind::decide_icontains,
    .spans = contains_kind::spans_of_icontains,
};

}  // namespace parley::scoring
