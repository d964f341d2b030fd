// The types `tool-called` and `tool-not-called`.

#include <array>

#include "scoring/arguments.hpp"
#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array called_keys{
    ConfigKey{"name", true, ConfigType::text, "The tool."},
    ConfigKey{"min", false, ConfigType::count, "Least number of such calls; default 1 (0 where max is 0)."},
    ConfigKey{"max", false, ConfigType::count, "Greatest number of such calls; default without bound."},
    ConfigKey{"arguments", false, ConfigType::object,
              "Compared with the call's metadata.arguments; absent: the name alone counts."},
    ConfigKey{"mode", false, ConfigType::text,
              "partial (default): every expected argument is in the call, recursively; exact: and no other "
              "is; within: "
              "every argument of the call is expected with that value."},
    ConfigKey{"keys", false, ConfigType::names,
              "Only these argument names are compared; an empty list: the name alone."},
};
constexpr std::array not_called_keys{
    ConfigKey{"name", true, ConfigType::text, "The tool."},
};

void check_name(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto name = text_at(config, "name");
  if (name && name->empty()) findings.add(pointer + "/name", "must not be empty");
}

std::optional<ArgumentMode> mode_from_text(std::string_view text) {
  if (text == "partial") return ArgumentMode::partial;
  if (text == "exact") return ArgumentMode::exact;
  if (text == "within") return ArgumentMode::within;
  return std::nullopt;
}

std::int64_t least_calls(const json::Value& config) {
  return count_at(config, "min").value_or(count_at(config, "max") == 0 ? 0 : 1);
}

void check_called(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_name(config, pointer, findings);
  const auto mode = text_at(config, "mode");
  if (mode && !mode_from_text(*mode)) findings.add(pointer + "/mode", "must be partial, exact or within");
  const auto max = count_at(config, "max");
  if (max && *max >= 0 && *max < least_calls(config)) findings.add(pointer + "/max", "must not be below min");
}

std::optional<ExpectedArguments> expected_arguments(const json::Value& config) {
  const auto arguments = given(config, "arguments");
  if (!arguments) return std::nullopt;
  return ExpectedArguments{
      *arguments, mode_from_text(text_at(config, "mode").value_or("partial")).value_or(ArgumentMode::partial),
      texts_at(config, "keys")};
}

/// The calls of one tool.
struct Calls {
  std::size_t of_name = 0;
  std::size_t matching = 0;
  std::vector<Id> of_name_ids;
  std::vector<Id> matching_ids;
  std::string other_arguments;  ///< of the last call that did not match
};

Calls calls_of(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  const auto expected = expected_arguments(config);
  Calls calls;
  for (const Entry& entry : conversation.entries()) {
    if (entry.type != EntryType::tool || entry.name != name) continue;
    ++calls.of_name;
    note(calls.of_name_ids, entry);
    if (!expected || arguments_match(conversation.metadata(entry), *expected)) {
      ++calls.matching;
      note(calls.matching_ids, entry);
    } else {
      const auto arguments = conversation.metadata(entry).find("arguments");
      calls.other_arguments = arguments ? shortened(arguments->raw()) : "no arguments";
    }
  }
  return calls;
}

std::string times(std::int64_t count) {
  return std::to_string(count) + (count == 1 ? " time" : " times");
}

std::string expectation(const json::Value& config) {
  const std::int64_t min = least_calls(config);
  const auto max = count_at(config, "max");
  std::string text = "the tool " + quoted(text_at(config, "name").value_or("")) + " is called ";
  if (!max) {
    text += "at least " + times(min);
  } else if (*max == min) {
    text += "exactly " + times(min);
  } else {
    text += std::to_string(min) + " to " + times(*max);
  }
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
  const auto matching = static_cast<std::int64_t>(calls.matching);
  const auto max = count_at(config, "max");
  const bool passed = matching >= least_calls(config) && (!max || matching <= *max);
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
          "the tool " + quoted(text_at(config, "name").value_or("")) + " is not called",
          counted(calls.of_name, "call"), std::move(calls.of_name_ids)};
}

}  // namespace

constinit const Kind rows::tool_called{
    .name = "tool-called",
    .summary = "A tool is called, so often and with such arguments.",
    .keys = called_keys,
    .check = check_called,
    .decide = decide_called,
};

constinit const Kind rows::tool_not_called{
    .name = "tool-not-called",
    .summary = "A tool is never called.",
    .keys = not_called_keys,
    .check = check_name,
    .decide = decide_not_called,
};

}  // namespace parley::scoring
