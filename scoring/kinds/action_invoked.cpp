// The type `action-invoked`.

#include <array>

#include "scoring/arguments.hpp"
#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array keys{
    ConfigKey{"name", true, ConfigType::text, "The action."},
    ConfigKey{"arguments", false, ConfigType::object,
              "Arguments that the invocation has among others, recursively."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto name = text_at(config, "name");
  if (name && name->empty()) findings.add(pointer + "/name", "must not be empty");
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  const auto arguments = given(config, "arguments");
  Verdict verdict{AssertionStatus::failed, "the tester invokes the action " + quoted(name), {}, {}};
  if (arguments) verdict.expected += " with arguments " + shortened(arguments->raw());
  std::vector<Id> others;
  std::size_t matching = 0;
  std::size_t of_name = 0;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::action || entry.name != name) continue;
    ++of_name;
    const bool matches = !arguments || arguments_match(conversation.metadata(entry), {*arguments});
    if (matches) ++matching;
    note(matches ? verdict.evidence : others, entry);
  }
  if (matching > 0) {
    verdict.status = AssertionStatus::passed;
  } else {
    verdict.evidence = std::move(others);
  }
  verdict.found =
      counted(matching, "such invocation") + " among " + std::to_string(of_name) + " of that action";
  return verdict;
}

}  // namespace

constinit const Kind rows::action_invoked{
    .name = "action-invoked",
    .summary = "The tester invokes an action.",
    .keys = keys,
    .check = check,
    .decide = decide,
};

}  // namespace parley::scoring
