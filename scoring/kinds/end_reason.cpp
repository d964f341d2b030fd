// The type `end-reason`.

#include <algorithm>
#include <array>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace end_reason_kind {
namespace {

constexpr std::array keys{
    word_key("value", Words<EndReason>::all, "The endReason; this or `values` is needed."),
    ConfigKey{"values", false, ConfigType::texts, "Several, one of which is enough.", config_items_max,
              Words<EndReason>::all},
};

Verdict decide(const json::Value& config, Conversation& conversation) {
  if (!conversation.end_reason()) return {.found = "The conversation has no endReason yet."};
  const auto values = value_or_values(config);
  const std::string_view reason = word_of(*conversation.end_reason());
  const bool passed = std::find(values.begin(), values.end(), reason) != values.end();
  Verdict verdict{
      passed ? AssertionStatus::passed : AssertionStatus::failed,
      "the conversation ends with " + std::string(values.size() > 1 ? "one of " : "") + quoted_list(values),
      in_quotes(reason),
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
    .check = check_value_or_values,
    .decide = end_reason_kind::decide,
};

}  // namespace parley::scoring
