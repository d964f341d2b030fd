// The types `tool-set` and `tool-f1`: compare all tool calls of the conversation with a list of expected ones.

#include <algorithm>
#include <array>

#include "model/json/json_writer.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"
#include "scoring/tool_kinds/call_arguments.hpp"

namespace parley::scoring {
namespace tool_set_kind {
namespace {

constexpr ConfigKey names_key{"names", false, ConfigType::texts,
                              "The expected calls by the names of their tools; this or `calls` is needed."};
constexpr ConfigKey calls_key{
    "calls", false, ConfigType::objects,
    "The expected calls, each {name, arguments}; without arguments the name alone counts."};
constexpr ConfigKey ignore_key{"ignore", false, ConfigType::names, "Tools whose calls are ignored."};
constexpr ConfigKey mode_of_arguments_key =
    argument_mode_key("argumentMode", "How arguments are compared: partial (default), exact or within.");
constexpr std::array<std::string_view, 4> mode_words{"strict", "unordered", "subset", "superset"};

constexpr std::array set_keys{
    names_key,
    calls_key,
    word_key("mode", mode_words,
             "strict: these calls in this order and no others; unordered (default): in any order; subset: "
             "no others, "
             "though some may be missing; superset: all of them, though there may be others."),
    ignore_key,
    mode_of_arguments_key,
    argument_defaults_key,
    argument_tolerance_key,
};
constexpr std::array f1_keys{
    names_key,
    calls_key,
    ConfigKey{
        "threshold", true, ConfigType::share,
        "Least F1: the harmonic mean of the shares of calls that were expected and of expected calls made."},
    ignore_key,
    mode_of_arguments_key,
    argument_defaults_key,
    argument_tolerance_key,
};

void check_calls(const json::Value& config, const std::string& pointer, Findings& findings) {
  std::size_t index = 0;
  for (const json::Value& call : items_at(config, "calls")) {
    const std::string at = pointer + "/calls/" + std::to_string(index++);
    if (!call.is(json::Kind::object)) continue;
    if (text_at(call, "name").value_or("").empty()) findings.add(at + "/name", "is required: the tool");
    const auto arguments = given(call, "arguments");
    if (arguments && !arguments->is(json::Kind::object)) findings.add(at + "/arguments", "must be an object");
    for (const json::Value& member : call.children()) {
      if (member.key() != "name" && member.key() != "arguments")
        findings.add(at + "/" + json::pointer_token(member.key()),
                     "is not known; a call has name and arguments");
    }
  }
}

void check_expected(const json::Value& config, const std::string& pointer, Findings& findings) {
  const bool has_names = given(config, "names").has_value();
  const bool has_calls = given(config, "calls").has_value();
  if (!has_names && !has_calls) findings.add(pointer + "/names", "is required, or else calls");
  if (has_names && has_calls) findings.add(pointer + "/calls", "excludes names; give one of them");
  check_calls(config, pointer, findings);
}

void check_f1(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_expected(config, pointer, findings);
  if (number_at(config, "threshold") == 0.0)
    findings.add(pointer + "/threshold", "must be above 0: no F1 is below that");
}

struct ExpectedCall {
  std::string_view name;
  std::optional<ExpectedArguments> arguments;
};

std::vector<ExpectedCall> expected_calls(const json::Value& config) {
  std::vector<ExpectedCall> expected;
  for (const std::string_view name : texts_at(config, "names").value_or(std::vector<std::string_view>{}))
    expected.push_back({name, std::nullopt});
  for (const json::Value& call : items_at(config, "calls")) {
    const auto arguments = given(call, "arguments");
    expected.push_back({text_at(call, "name").value_or(""), std::nullopt});
    if (arguments) expected.back().arguments = expected_arguments(*arguments, config, "argumentMode");
  }
  return expected;
}

std::vector<const Entry*> calls_looked_at(const json::Value& config, const Conversation& conversation) {
  const auto ignored = texts_at(config, "ignore").value_or(std::vector<std::string_view>{});
  std::vector<const Entry*> calls;
  for (const Entry& entry : conversation.entries()) {
    const std::string_view name = entry.name ? std::string_view(*entry.name) : std::string_view();
    if (entry.type == EntryType::tool && std::find(ignored.begin(), ignored.end(), name) == ignored.end())
      calls.push_back(&entry);
  }
  return calls;
}

/// Pairs as many expected calls with actual calls as possible: an expected call gives up its partner if another
/// call also matches it (augmenting paths). At most config_items_max expected calls.
class Pairing {
 public:
  Pairing(const std::vector<ExpectedCall>& expected, const std::vector<const Entry*>& calls,
          Conversation& conversation)
      : fits_(expected.size()), partner_of_call_(calls.size()), strict_(expected.size() == calls.size()) {
    for (std::size_t i = 0; i < expected.size(); ++i) {
      for (std::size_t j = 0; j < calls.size(); ++j) {
        if (fits(expected[i], *calls[j], conversation)) fits_[i].push_back(j);
      }
      strict_ = strict_ && std::find(fits_[i].begin(), fits_[i].end(), i) != fits_[i].end();
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      std::vector<bool> asked(calls.size());
      if (finds_partner(i, asked)) {
        ++paired_;
      } else if (!unpaired_) {
        unpaired_ = i;
      }
    }
  }

  [[nodiscard]] std::size_t paired() const { return paired_; }
  [[nodiscard]] bool is_strict() const { return strict_; }
  [[nodiscard]] bool has_partner(std::size_t call) const { return partner_of_call_[call].has_value(); }
  /// An expected call without a partner.
  [[nodiscard]] std::optional<std::size_t> unpaired() const { return unpaired_; }

 private:
  static bool fits(const ExpectedCall& expected, const Entry& call, Conversation& conversation) {
    return call.name == expected.name &&
           (!expected.arguments || arguments_match(conversation.metadata(call), *expected.arguments));
  }

  bool finds_partner(std::size_t expected, std::vector<bool>& asked) {
    for (const std::size_t call : fits_[expected]) {
      if (asked[call]) continue;
      asked[call] = true;
      if (!partner_of_call_[call] || finds_partner(*partner_of_call_[call], asked)) {
        partner_of_call_[call] = expected;
        return true;
      }
    }
    return false;
  }

  std::vector<std::vector<std::size_t>> fits_;
  std::vector<std::optional<std::size_t>> partner_of_call_;
  std::size_t paired_ = 0;
  std::optional<std::size_t> unpaired_;
  bool strict_;
};

std::string listed(const std::vector<const Entry*>& calls) {
  std::vector<std::string_view> names;
  names.reserve(calls.size());
  for (const Entry* call : calls)
    names.push_back(call->name ? std::string_view(*call->name) : std::string_view());
  return names.empty() ? "no tool call" : "the calls " + quoted_list(names);
}

std::string listed(const std::vector<ExpectedCall>& expected) {
  std::vector<std::string_view> names;
  names.reserve(expected.size());
  for (const ExpectedCall& call : expected) names.push_back(call.name);
  return quoted_list(names);
}

std::string found_phrase(const std::vector<ExpectedCall>& expected, const std::vector<const Entry*>& calls,
                         const Pairing& pairing) {
  std::string text = listed(calls) + "; " + counted(pairing.paired(), "expected call") + " of " +
                     std::to_string(expected.size()) + " made";
  if (pairing.unpaired()) text += ", not so " + in_quotes(expected[*pairing.unpaired()].name);
  if (calls.size() > pairing.paired()) text += ", " + counted(calls.size() - pairing.paired(), "other");
  return text;
}

/// The unexpected calls of a failed verdict if there are any, else the expected ones.
std::vector<Id> evidence_of(const std::vector<const Entry*>& calls, const Pairing& pairing, bool passed) {
  std::vector<Id> evidence;
  const bool others = !passed && calls.size() > pairing.paired();
  for (std::size_t i = 0; i < calls.size(); ++i) {
    if (pairing.has_partner(i) != others) note(evidence, *calls[i]);
  }
  return evidence;
}

Verdict decide_set(const json::Value& config, Conversation& conversation) {
  const std::string_view mode = text_at(config, "mode").value_or("unordered");
  const auto expected = expected_calls(config);
  const auto calls = calls_looked_at(config, conversation);
  const Pairing pairing(expected, calls, conversation);
  const bool all_made = pairing.paired() == expected.size();
  const bool no_others = pairing.paired() == calls.size();
  bool passed = all_made && no_others;
  std::string_view phrase = "exactly the tool calls in any order: ";
  if (mode == "strict") {
    passed = pairing.is_strict();
    phrase = "exactly the tool calls in this order: ";
  } else if (mode == "subset") {
    passed = no_others;
    phrase = "no tool calls but: ";
  } else if (mode == "superset") {
    passed = all_made;
    phrase = "at least the tool calls: ";
  }
  return {passed ? AssertionStatus::passed : AssertionStatus::failed, std::string(phrase) + listed(expected),
          found_phrase(expected, calls, pairing), evidence_of(calls, pairing, passed)};
}

Verdict decide_f1(const json::Value& config, Conversation& conversation) {
  const double threshold = number_at(config, "threshold").value_or(1);
  const auto expected = expected_calls(config);
  const auto calls = calls_looked_at(config, conversation);
  const Pairing pairing(expected, calls, conversation);
  const double f1 =
      2 * static_cast<double>(pairing.paired()) / static_cast<double>(expected.size() + calls.size());
  const bool passed = at_least(f1, threshold);
  return {passed ? AssertionStatus::passed : AssertionStatus::failed,
          "an F1 of " + json::number_text(threshold) + " or more against the tool calls " + listed(expected),
          json::number_text(dusted(f1)) + ": " + found_phrase(expected, calls, pairing),
          evidence_of(calls, pairing, passed)};
}

}  // namespace
}  // namespace tool_set_kind

constinit const Kind rows::tool_f1{
    .name = "tool-f1",
    .summary = "The tool calls agree with the expected ones to a degree (F1).",
    .keys = tool_set_kind::f1_keys,
    .check = tool_set_kind::check_f1,
    .decide = tool_set_kind::decide_f1,
};

constinit const Kind rows::tool_set{
    .name = "tool-set",
    .summary = "The tool calls are the expected ones, in order or not, no more or no fewer.",
    .keys = tool_set_kind::set_keys,
    .turn_scoped = true,
    .check = tool_set_kind::check_expected,
    .decide = tool_set_kind::decide_set,
};

}  // namespace parley::scoring
