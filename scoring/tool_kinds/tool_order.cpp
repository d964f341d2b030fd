// The type `tool-order`.

#include <array>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace tool_order_kind {
namespace {

constexpr std::array<std::string_view, 2> mode_words{"subsequence", "strict"};
constexpr std::array keys{
    ConfigKey{"names", true, ConfigType::texts, "The tools in the order of their calls."},
    word_key("mode", mode_words,
             "subsequence (default): other calls may come between; strict: these calls and no others."),
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  std::size_t at = 0;
  for (const std::string_view name : texts_at(config, "names").value_or(std::vector<std::string_view>{})) {
    if (name.empty()) findings.add(pointer + "/names/" + std::to_string(at), "must not be empty");
    ++at;
  }
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const auto names = texts_at(config, "names").value_or(std::vector<std::string_view>{});
  const bool strict = text_at(config, "mode") == "strict";
  std::vector<std::string_view> called;
  std::size_t reached = 0;
  bool others = false;
  Verdict verdict;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::tool) continue;
    called.push_back(entry.name ? std::string_view(*entry.name) : std::string_view());
    if (reached < names.size() && called.back() == names[reached]) {
      ++reached;
      note(verdict.evidence, entry);
    } else {
      others = true;
      if (strict) note(verdict.evidence, entry);
    }
  }
  const bool passed = reached == names.size() && !(strict && others);
  verdict.status = passed ? AssertionStatus::passed : AssertionStatus::failed;
  verdict.expected =
      std::string(strict ? "exactly the tool calls " : "tool calls in the order ") + quoted_list(names);
  verdict.found = called.empty() ? "no tool call" : "the calls " + quoted_list(called);
  if (reached < names.size()) verdict.found += ", without " + in_quotes(names[reached]) + " in its place";
  return verdict;
}

}  // namespace
}  // namespace tool_order_kind

constinit const Kind rows::tool_order{
    .name = "tool-order",
    .summary = "Tools are called in an order.",
    .keys = tool_order_kind::keys,
    .turn_scoped = true,
    .check = tool_order_kind::check,
    .decide = tool_order_kind::decide,
};

}  // namespace parley::scoring
