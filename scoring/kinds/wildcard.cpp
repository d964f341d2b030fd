// The type `wildcard`: a chatbot message matches a text with `*` and `?`.

#include <array>

#include "model/pattern/pattern.hpp"
#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace wildcard_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"pattern", true, ConfigType::text,
              "The whole text: * matches any characters, ? one character, \\ takes the next one as it is."},
    ignore_key("Differences to ignore: case, commas, whitespace, punctuation; default [\"case\"]."),
};

constexpr Ignored ignored_by_default{.letter_case = true};

/// The wildcard text as a regular expression for comparable texts.
std::string expression_of(std::string_view wildcard, const Ignored& ignored) {
  std::string expression = "(?s)\\A";
  std::string plain;
  const auto flush = [&] {
    expression += RE2::QuoteMeta(comparable(plain, ignored));
    plain.clear();
  };
  for (std::size_t at = 0; at < wildcard.size(); ++at) {
    if (wildcard[at] == '*' || wildcard[at] == '?') {
      flush();
      expression += wildcard[at] == '*' ? ".*" : ".";
    } else {
      if (wildcard[at] == '\\' && at + 1 < wildcard.size()) ++at;
      plain += wildcard[at];
    }
  }
  flush();
  return expression + "\\z";
}

std::string expression_in(const json::Value& config) {
  return expression_of(text_at(config, "pattern").value_or(""), ignored_by(config, ignored_by_default));
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto wildcard = text_at(config, "pattern");
  if (!wildcard) return;
  if (!wildcard->empty() && wildcard->find_first_not_of('*') == std::string_view::npos) {
    return findings.add(pointer + "/pattern", "must contain more than *, which matches any text");
  }
  const auto measure = findings.patterns.measure(expression_in(config));
  if (measure.fault.empty()) return;
  const bool is_long = measure.size == pattern_size_max;
  findings.add(pointer + "/pattern", is_long ? "is too long a pattern" : measure.fault);
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const Ignored ignored = ignored_by(config, ignored_by_default);
  auto& pattern = conversation.patterns().of(expression_in(config));
  if (!pattern.ok()) return {.found = "The pattern " + pattern.problem().detail + "."};
  return decide_texts(config, conversation,
                      {.what = "is like " + in_quotes(text_at(config, "pattern").value_or("")),
                       .holds = [&](std::string_view text) {
                         return conversation.work().matches(pattern.value(), comparable(text, ignored));
                       }});
}

}  // namespace
}  // namespace wildcard_kind

constinit const Kind rows::wildcard{
    .name = "wildcard",
    .summary = "A chatbot message matches a text with wildcards.",
    .keys = wildcard_kind::keys,
    .scoped = true,
    .check = wildcard_kind::check,
    .decide = wildcard_kind::decide,
};

}  // namespace parley::scoring
