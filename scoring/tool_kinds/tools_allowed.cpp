// The types `tools-allowed` and `tools-denied`.

#include <algorithm>
#include <array>

#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace tools_allowed_kind {
namespace {

constexpr std::array allowed_keys{
    ConfigKey{"names", true, ConfigType::names, "The tools that may be called; an empty list: none may."},
};
constexpr std::array denied_keys{
    ConfigKey{"names", true, ConfigType::texts, "The tools that must not be called."},
};

enum class List : std::uint8_t { allowed, denied };

Verdict decide_list(const json::Value& config, Conversation& conversation, List list) {
  const auto names = texts_at(config, "names").value_or(std::vector<std::string_view>{});
  Verdict verdict;
  std::size_t calls = 0;
  std::vector<std::string_view> wrong;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::tool) continue;
    ++calls;
    const std::string_view name = entry.name ? std::string_view(*entry.name) : std::string_view();
    const bool is_listed = std::find(names.begin(), names.end(), name) != names.end();
    if (is_listed == (list == List::allowed)) continue;
    wrong.push_back(name);
    note(verdict.evidence, entry);
  }
  verdict.status = wrong.empty() ? AssertionStatus::passed : AssertionStatus::failed;
  verdict.expected = list == List::denied ? "none of the tools " + quoted_list(names) + " is called"
                     : names.empty()      ? "no tool is called"
                                          : "no tool is called but " + quoted_list(names);
  verdict.found = counted(wrong.size(), "such call") + " among " + counted(calls, "call");
  if (list == List::allowed)
    verdict.found = counted(wrong.size(), "other call") + " among " + counted(calls, "call");
  if (!wrong.empty()) verdict.found += ": " + quoted_list(wrong);
  return verdict;
}

Verdict decide_allowed(const json::Value& config, Conversation& conversation) {
  return decide_list(config, conversation, List::allowed);
}

Verdict decide_denied(const json::Value& config, Conversation& conversation) {
  return decide_list(config, conversation, List::denied);
}

}  // namespace
}  // namespace tools_allowed_kind

constinit const Kind rows::tools_allowed{
    .name = "tools-allowed",
    .summary = "Only the listed tools are called.",
    .keys = tools_allowed_kind::allowed_keys,
    .decide = tools_allowed_kind::decide_allowed,
};

constinit const Kind rows::tools_denied{
    .name = "tools-denied",
    .summary = "None of the listed tools is called.",
    .keys = tools_allowed_kind::denied_keys,
    .decide = tools_allowed_kind::decide_denied,
};

}  // namespace parley::scoring
