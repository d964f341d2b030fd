// The types `max-length` and `min-length`: how many characters a chatbot message has.

#include <array>

#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::count, "Characters (code points)."},
};

std::size_t length_of(const Entry& message) {
  return message.content ? chars_in(*message.content) : 0;
}

Verdict decide_length(const json::Value& config, const Conversation& conversation, std::string_view bound,
                      bool (*within)(std::size_t length, std::size_t value)) {
  const auto value = static_cast<std::size_t>(count_at(config, "value").value_or(0));
  return decide_messages(
      config, conversation,
      {"has at " + std::string(bound) + " " + counted(value, "character"),
       [&](const Entry& message) { return within(length_of(message), value); },
       [](const Entry& message) { return "has " + counted(length_of(message), "character"); }});
}

Verdict decide_max(const json::Value& config, Conversation& conversation) {
  return decide_length(config, conversation, "most",
                       [](std::size_t length, std::size_t value) { return length <= value; });
}

Verdict decide_min(const json::Value& config, Conversation& conversation) {
  return decide_length(config, conversation, "least",
                       [](std::size_t length, std::size_t value) { return length >= value; });
}

}  // namespace

constinit const Kind rows::max_length{
    .name = "max-length",
    .summary = "A chatbot message has at most so many characters; scope all asks it of every message.",
    .keys = keys,
    .scoped = true,
    .decide = decide_max,
};

constinit const Kind rows::min_length{
    .name = "min-length",
    .summary = "A chatbot message has at least so many characters; scope all asks it of every message.",
    .keys = keys,
    .scoped = true,
    .decide = decide_min,
};

}  // namespace parley::scoring
