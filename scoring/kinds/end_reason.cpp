// The type `end-reason`.

#include <algorithm>
#include <array>

#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace end_reason_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", false, ConfigType::text, "The endReason; this or `values` is needed."},
    ConfigKey{"values", false, ConfigType::texts, "Several, one of which is enough."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_value_or_values(config, pointer, findings);
  std::size_t index = 0;
  for (const std::string_view value : value_or_values(config)) {
    if (!from_word<EndReason>(value)) {
      std::string words;
      for (const std::string_view word : Words<EndReason>::all)
        words += (words.empty() ? "" : ", ") + std::string(word);
      findings.add(pointer + value_pointer(config, index), "must be one of " + words);
    }
    ++index;
  }
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  if (!conversation.end_reason()) return {.found = "The conversation has no endReason yet."};
  const auto values = value_or_values(config);
  const std::string_view reason = word_of(*conversation.end_reason());
  const bool passed = std::find(values.begin(), values.end(), reason) != values.end();
  Verdict verdict{
      passed ? AssertionStatus::passed : AssertionStatus::failed,
      "the conversation ends with " + std::string(values.size() > 1 ? "one of " : "") + quoted_list(values),
      quoted(reason),
      {}};
  if (!conversation.entries().empty()) verdict.evidence.push_back(conversation.entries().back().id);
  return verdict;
}

}  // namespace
}  // namespace end_reason_kind

constinit const Kind rows::end_reason{
    .name = "end-reason",
    .summary = "The conversation ends for a reason.",
    .keys = end_reason_kind::keys,
    .check = end_reason_kind::check,
    .decide = end_reason_kind::decide,
};

}  // namespace parley::scoring
