// The types `cost` and `tokens`: totals over the chatbot's messages.

#include <array>

#include "model/json/json_writer.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/statistics.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace totals_kind {
namespace {

constexpr std::array cost_keys{
    ConfigKey{"max", true, ConfigType::amount, "USD in total."},
};
constexpr std::array tokens_keys{
    ConfigKey{"max", true, ConfigType::amount, "Input and output tokens in total."},
};

/// The summed quantity and its name.
struct Total {
  std::string_view noun;   ///< as in `cost (USD)`
  std::string_view needs;  ///< the metadata keys
  std::optional<double> (*of)(const Measures& measures);
};

Verdict decide_total(const json::Value& config, Conversation& conversation, const Total& total) {
  const double most = number_at(config, "max").value_or(0);
  MeasureSum sum;
  Verdict verdict;
  for (const Entry* message : conversation.chatbot_messages()) {
    const auto value = total.of(conversation.measures(*message));
    if (!value) continue;
    sum.add(value);
    note(verdict.evidence, *message);
  }
  if (sum.count == 0) {
    verdict.found =
        "No chatbot message has a " + std::string(total.needs) + ", so there is nothing to add up.";
    return verdict;
  }
  verdict.status = at_most(sum.sum, most) ? AssertionStatus::passed : AssertionStatus::failed;
  verdict.expected = "total " + std::string(total.noun) + " at most " + json::number_text(most);
  verdict.found = json::number_text(dusted(sum.sum)) + ", recorded on " + std::to_string(sum.count) + " of " +
                  counted(conversation.chatbot_messages().size(), "chatbot message");
  return verdict;
}

Verdict decide_cost(const json::Value& config, Conversation& conversation) {
  return decide_total(config, conversation, {"cost (USD)", "metadata.cost", [](const Measures& measures) {
                                               return measures.cost;
                                             }});
}

std::optional<double> tokens_of(const Measures& measures) {
  if (!measures.input_tokens && !measures.output_tokens) return std::nullopt;
  return measures.input_tokens.value_or(0) + measures.output_tokens.value_or(0);
}

Verdict decide_tokens(const json::Value& config, Conversation& conversation) {
  return decide_total(config, conversation, {"tokens", "metadata.inputTokens or outputTokens", tokens_of});
}

}  // namespace
}  // namespace totals_kind

constinit const Kind rows::cost{
    .name = "cost",
    .summary = "The conversation costs at most `max` USD (metadata.cost of the chatbot's messages).",
    .keys = totals_kind::cost_keys,
    .decide = totals_kind::decide_cost,
};

constinit const Kind rows::tokens{
    .name = "tokens",
    .summary = "The conversation takes at most `max` tokens (metadata.inputTokens and outputTokens).",
    .keys = totals_kind::tokens_keys,
    .decide = totals_kind::decide_tokens,
};

}  // namespace parley::scoring
