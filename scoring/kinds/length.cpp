// The types `max-length` and `min-length`: the number of characters in a chatbot message.

#include <array>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace length_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::count, "Characters (code points)."},
};

Verdict decide_length(const json::Value& config, Conversation& conversation, std::string_view bound,
                      bool (*within)(std::size_t length, std::size_t value)) {
  const auto value = static_cast<std::size_t>(count_at(config, "value").value_or(0));
  return decide_texts(config, conversation,
                      {"has at " + std::string(bound) + " " + counted(value, "character"),
                       [&](std::string_view text) { return within(chars_in(text), value); },
                       [](std::string_view text) { return "has " + counted(chars_in(text), "character"); }});
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
}  // namespace length_kind

constinit const Kind rows::max_length{
    .name = "max-length",
    .summary = "A chatbot message has at most `value` characters; with scope all, every message.",
    .keys = length_kind::keys,
    .scoped = true,
    .decide = length_kind::decide_max,
};

constinit const Kind rows::min_length{
    .name = "min-length",
    .summary = "A chatbot message has at least `value` characters; with scope all, every message.",
    .keys = length_kind::keys,
    .scoped = true,
    .decide = length_kind::decide_min,
};

}  // namespace parley::scoring
