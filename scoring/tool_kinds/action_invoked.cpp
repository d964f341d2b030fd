// The type `action-invoked`.

#include <array>

#include "scoring/kinds/count_range.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"
#include "scoring/tool_kinds/call_arguments.hpp"

namespace parley::scoring {
namespace action_invoked_kind {
namespace {

constexpr std::array keys{
    ConfigKey{"name", true, ConfigType::text, "The action."},
    ConfigKey{"arguments", false, ConfigType::object,
              "Arguments that the invocation must contain, recursively."},
    argument_mode_key("mode", "As in tool-called: partial (default), exact or within."),
    argument_tolerance_key,
    ConfigKey{"min", false, ConfigType::count,
              "Minimum number of such invocations; default 1 (0 where max is 0)."},
    ConfigKey{"max", false, ConfigType::count, "Maximum number of such invocations; default: no limit."},
};

constexpr LeastByDefault once{1};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_not_empty("name", config, pointer, findings);
  check_range(config, once, pointer, findings);
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  const auto arguments = given(config, "arguments");
  const CountRange range = range_of(config, once);
  Verdict verdict{AssertionStatus::failed, "the tester invokes the action " + in_quotes(name), {}, {}};
  if (arguments) verdict.expected += " with arguments " + shortened(arguments->raw());
  if (range.min != 1 || range.max) verdict.expected += " " + words_of(range, "time");
  std::vector<Id> others;
  std::size_t matching = 0;
  std::size_t of_name = 0;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::action || entry.name != name) continue;
    ++of_name;
    const bool matches = !arguments || arguments_match(conversation.metadata(entry),
                                                       expected_arguments(*arguments, config, "mode"));
    if (matches) ++matching;
    note(matches ? verdict.evidence : others, entry);
  }
  if (range.holds(matching)) verdict.status = AssertionStatus::passed;
  if (matching == 0) verdict.evidence = std::move(others);
  verdict.found =
      counted(matching, "such invocation") + " among " + std::to_string(of_name) + " of that action";
  return verdict;
}

}  // namespace
}  // namespace action_invoked_kind

constinit const Kind rows::action_invoked{
    .name = "action-invoked",
    .summary = "The tester invokes an action.",
    .keys = action_invoked_kind::keys,
    .check = action_invoked_kind::check,
    .decide = action_invoked_kind::decide,
};

}  // namespace parley::scoring
