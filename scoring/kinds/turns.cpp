// The types `max-turns` and `min-turns`.

#include <array>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace turns_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::count, "Exchanges with at least one chatbot message."},
};

Verdict decide_turns(const Conversation& conversation, bool passed, std::string expected) {
  Verdict verdict{passed ? AssertionStatus::passed : AssertionStatus::failed,
                  std::move(expected),
                  counted(static_cast<std::size_t>(conversation.chatbot_turns()), "chatbot turn"),
                  {}};
  // The last message of the conversation is the best evidence of the number of turns.
  const auto& messages = conversation.chatbot_messages();
  if (!messages.empty()) note(verdict.evidence, *messages.back());
  return verdict;
}

Verdict decide_max(const json::Value& config, Conversation& conversation) {
  const std::int64_t value = count_at(config, "value").value_or(0);
  return decide_turns(conversation, conversation.chatbot_turns() <= value,
                      "at most " + counted(static_cast<std::size_t>(value), "chatbot turn"));
}

Verdict decide_min(const json::Value& config, Conversation& conversation) {
  const std::int64_t value = count_at(config, "value").value_or(0);
  return decide_turns(conversation, conversation.chatbot_turns() >= value,
                      "at least " + counted(static_cast<std::size_t>(value), "chatbot turn"));
}

}  // namespace
}  // namespace turns_kind

constinit const Kind rows::max_turns{
    .name = "max-turns",
    .summary = "The chatbot takes at most `value` turns.",
    .keys = turns_kind::keys,
    .decide = turns_kind::decide_max,
};

constinit const Kind rows::min_turns{
    .name = "min-turns",
    .summary = "The chatbot takes at least `value` turns.",
    .keys = turns_kind::keys,
    .decide = turns_kind::decide_min,
};

}  // namespace parley::scoring
