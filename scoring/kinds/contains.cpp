// The type `contains`: a chatbot message holds a text.

#include <algorithm>
#include <array>

#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"

namespace parley::scoring {
namespace {

constexpr std::array keys{
    ConfigKey{"value", false, ConfigType::text, "The text; this or `values` is needed."},
    ConfigKey{"values", false, ConfigType::texts, "Several texts."},
    ConfigKey{"match", false, ConfigType::text,
              "any (default): one of `values` is enough; all: one message has them all."},
    ConfigKey{"ignore", false, ConfigType::names,
              "What does not count: case, commas, whitespace, punctuation; default [\"case\"]."},
};

constexpr Ignored ignored_by_default{.letter_case = true};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_ignore(config, pointer, findings);
  const bool has_value = given(config, "value").has_value();
  const bool has_values = given(config, "values").has_value();
  if (!has_value && !has_values) findings.add(pointer + "/value", "is required, or else values");
  if (has_value && has_values) findings.add(pointer + "/values", "excludes value; give one of them");
  const auto match = text_at(config, "match");
  if (match && *match != "any" && *match != "all") findings.add(pointer + "/match", "must be any or all");

  const Ignored ignored = ignored_by(config, ignored_by_default);
  const auto values = value_or_values(config);
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Nothing stands in every message: such a check could never fail.
    if (!comparable(values[i], ignored).empty()) continue;
    findings.add(pointer + (has_value ? "/value" : "/values/" + std::to_string(i)),
                 "must hold a character that is not ignored");
  }
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const Ignored ignored = ignored_by(config, ignored_by_default);
  const bool all = text_at(config, "match") == "all";
  const auto values = value_or_values(config);
  std::vector<std::string> wanted;
  for (const std::string_view value : values) wanted.push_back(comparable(value, ignored));

  const auto in_message = [&](const Entry& message) {
    const std::string text = comparable(message.content.value_or(""), ignored);
    const auto in_text = [&text](const std::string& part) { return holds(text, part); };
    return all ? std::all_of(wanted.begin(), wanted.end(), in_text)
               : std::any_of(wanted.begin(), wanted.end(), in_text);
  };
  const std::string_view several = values.size() < 2 ? "" : all ? "all of " : "one of ";
  return decide_messages(config, conversation,
                         {"contains " + std::string(several) + quoted_list(values), in_message});
}

}  // namespace

constinit const Kind rows::contains{
    .name = "contains",
    .summary = "A chatbot message contains a text.",
    .keys = keys,
    .scoped = true,
    .check = check,
    .decide = decide,
};

}  // namespace parley::scoring
