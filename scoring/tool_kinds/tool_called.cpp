// The types `tool-called` and `tool-not-called`.

#include <array>

#include "scoring/kinds/count_range.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"
#include "scoring/tool_kinds/call_arguments.hpp"

namespace parley::scoring {
namespace tool_called_kind {
namespace {

constexpr std::array called_keys{
    ConfigKey{"name", true, ConfigType::text, "The tool."},
    ConfigKey{"min", false, ConfigType::count, "Minimum number of such calls; default 1 (0 where max is 0)."},
    ConfigKey{"max", false, ConfigType::count, "Maximum number of such calls; default: no limit."},
    ConfigKey{"arguments", false, ConfigType::object,
              "Compared with the call's metadata.arguments; absent: the name alone counts."},
    argument_mode_key(
        "mode",
        "partial (default): every expected argument is in the call, recursively; exact: and no other is; "
        "within: every argument of the call is expected with that value."),
    argument_keys_key,
    argument_defaults_key,
    argument_tolerance_key,
};
constexpr std::array not_called_keys{
    ConfigKey{"name", true, ConfigType::text, "The tool."},
};

constexpr LeastByDefault once{1};

void check_name(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_not_empty("name", config, pointer, findings);
}

void check_called(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_name(config, pointer, findings);
  check_range(config, once, pointer, findings);
}

/// The calls of one tool.
struct Calls {
  std::size_t of_name = 0;
  std::size_t matching = 0;
  std::vector<Id> of_name_ids;
  std::vector<Id> matching_ids;
  std::string other_arguments;  ///< arguments of the last call that did not match
};

Calls calls_of(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  const auto arguments = given(config, "arguments");
  Calls calls;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::tool || entry.name != name) continue;
    ++calls.of_name;
    note(calls.of_name_ids, entry);
    if (!arguments ||
        arguments_match(conversation.metadata(entry), expected_arguments(*arguments, config, "mode"))) {
      ++calls.matching;
      note(calls.matching_ids, entry);
    } else {
      calls.other_arguments = shown_arguments(conversation.metadata(entry));
    }
  }
  return calls;
}

std::string expectation(const json::Value& config) {
  std::string text = "the tool " + in_quotes(text_at(config, "name").value_or("")) + " is called " +
                     words_of(range_of(config, once), "time");
  if (const auto arguments = given(config, "arguments")) {
    text += " with arguments " + shortened(arguments->raw()) + " (" +
            std::string(text_at(config, "mode").value_or("partial"));
    if (const auto keys = texts_at(config, "keys")) {
      text += keys->empty() ? ", the name alone" : ", comparing only " + quoted_list(*keys);
    }
    text += ")";
  }
  return text;
}

Verdict decide_called(const json::Value& config, Conversation& conversation) {
  const Calls calls = calls_of(config, conversation);
  const bool passed = range_of(config, once).holds(calls.matching);
  Verdict verdict{passed ? AssertionStatus::passed : AssertionStatus::failed,
                  expectation(config),
                  {},
                  calls.matching > 0 ? calls.matching_ids : calls.of_name_ids};
  verdict.found = counted(calls.matching, "such call");
  if (calls.of_name > calls.matching) {
    verdict.found +=
        " among " + counted(calls.of_name, "call") + " of the tool; another had " + calls.other_arguments;
  }
  return verdict;
}

Verdict decide_not_called(const json::Value& config, Conversation& conversation) {
  Calls calls = calls_of(config, conversation);
  return {calls.of_name == 0 ? AssertionStatus::passed : AssertionStatus::failed,
          "the tool " + in_quotes(text_at(config, "name").value_or("")) + " is not called",
          counted(calls.of_name, "call"), std::move(calls.of_name_ids)};
}

}  // namespace
}  // namespace tool_called_kind

constinit const Kind rows::tool_called{
    .name = "tool-called",
    .summary =
        "A tool is called `count` times, or as often as `min` and `max` allow, with the given arguments.",
    .keys = tool_called_kind::called_keys,
    .turn_scoped = true,
    .check = tool_called_kind::check_called,
    .decide = tool_called_kind::decide_called,
};

constinit const Kind rows::tool_not_called{
    .name = "tool-not-called",
    .summary = "A tool is never called.",
    .keys = tool_called_kind::not_called_keys,
    .turn_scoped = true,
    .check = tool_called_kind::check_name,
    .decide = tool_called_kind::decide_not_called,
};

}  // namespace parley::scoring
