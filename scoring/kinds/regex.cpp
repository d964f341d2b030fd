// The type `regex`: a chatbot message matches an RE2 pattern.

#include <array>

#include "model/pattern/pattern.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace regex_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"pattern", true, ConfigType::text,
              "RE2 syntax, found anywhere in the message; (?i) ignores case."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto pattern = text_at(config, "pattern");
  if (!pattern) return;
  if (const auto measure = findings.patterns.measure(*pattern); !measure.fault.empty())
    findings.add(pointer + "/pattern", measure.fault);
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view text = text_at(config, "pattern").value_or("");
  auto& pattern = conversation.patterns().of(text);
  if (!pattern.ok()) return {.found = "The pattern " + pattern.problem().detail + "."};
  const auto holds = [&](std::string_view one) { return conversation.work().matches(pattern.value(), one); };
  return decide_texts(config, conversation,
                      {.what = "matches " + in_quotes(text), .holds = holds, .pays_its_steps = true});
}

std::vector<Span> spans(const json::Value& config, std::string_view text, Conversation& conversation) {
  const auto& pattern = conversation.patterns().of(text_at(config, "pattern").value_or(""));
  const auto place = pattern.ok() ? pattern->place(text) : std::nullopt;
  if (!place) return {};
  return {{place->first, place->second}};
}

}  // namespace
}  // namespace regex_kind

constinit const Kind rows::regex{
    .name = "regex",
    .summary = "A chatbot message matches a regular expression (RE2).",
    .keys = regex_kind::keys,
    .scoped = true,
    .check = regex_kind::check,
    .decide = regex_kind::decide,
    .spans = regex_kind::spans,
};

}  // namespace parley::scoring
