// The type `equals`: a chatbot message is equal to a text.

#include <array>

#include "scoring/kinds/ignore.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/scope.hpp"

namespace parley::scoring {
namespace equals_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"value", true, ConfigType::text, "The whole text."},
    ignore_key("Differences to ignore: case, commas, whitespace, punctuation; default none."),
};

Verdict decide(const json::Value& config, Conversation& conversation) {
  const Ignored ignored = ignored_by(config, {});
  const std::string_view value = text_at(config, "value").value_or("");
  const std::string wanted = comparable(value, ignored);
  return decide_texts(config, conversation, {"equals " + in_quotes(value), [&](std::string_view text) {
                                               return comparable(text, ignored) == wanted;
                                             }});
}

}  // namespace
}  // namespace equals_kind

constinit const Kind rows::equals{
    .name = "equals",
    .summary = "A chatbot message is exactly a text.",
    .keys = equals_kind::keys,
    .scoped = true,
    .decide = equals_kind::decide,
};

}  // namespace parley::scoring
