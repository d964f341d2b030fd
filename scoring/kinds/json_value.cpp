// The type `json`: checks a value in the metadata of the entries.

#include <array>
#include <cmath>

#include "model/pattern/pattern.hpp"
#include "scoring/kinds/json_source.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/arguments.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace json_value_kind {
namespace {

constexpr std::array keys{
    json_pointer_key,
    json_entries_key,
    json_name_key,
    json_which_key,
    ConfigKey{"equals", false, ConfigType::any, "The value is this; one of these operators is needed."},
    ConfigKey{"notEquals", false, ConfigType::any, "The value differs from this."},
    ConfigKey{"oneOf", false, ConfigType::list, "The value is one of these."},
    ConfigKey{"exists", false, ConfigType::flag, "true: some entry has the pointer; false: none has."},
    ConfigKey{"greaterThan", false, ConfigType::number, "The value is a number above this one."},
    ConfigKey{"greaterOrEqual", false, ConfigType::number, "The value is a number at or above this one."},
    ConfigKey{"lessThan", false, ConfigType::number, "The value is a number below this one."},
    ConfigKey{"lessOrEqual", false, ConfigType::number, "The value is a number at or below this one."},
    ConfigKey{"contains", false, ConfigType::any,
              "The value is a text that contains this text, a list with this item, or an object with these "
              "members."},
    ConfigKey{"startsWith", false, ConfigType::text, "The value is a text that starts with this one."},
    ConfigKey{"endsWith", false, ConfigType::text, "The value is a text that ends with this one."},
    ConfigKey{"matches", false, ConfigType::text,
              "The value is a text that matches this RE2 pattern somewhere."},
    ConfigKey{"tolerance", false, ConfigType::amount,
              "With equals or notEquals: numbers that differ by at most this amount are equal."},
};

constexpr std::array<std::string_view, 12> operators{
    "equals",   "notEquals",   "oneOf",    "exists",     "greaterThan", "greaterOrEqual",
    "lessThan", "lessOrEqual", "contains", "startsWith", "endsWith",    "matches"};

/// For these keys null is a value to search for; for all others it means that the key is absent (D5).
bool is_given(const json::Value& config, std::string_view key) {
  return key == "equals" || key == "notEquals" || key == "contains" ? config.find(key).has_value()
                                                                    : given(config, key).has_value();
}

std::string_view operator_of(const json::Value& config) {
  for (const std::string_view key : operators) {
    if (is_given(config, key)) return key;
  }
  return {};
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_json_source(config, pointer, findings);
  const std::string_view first = operator_of(config);
  if (first.empty())
    findings.add(pointer + "/equals", "is required, or else another operator such as exists or greaterThan");
  for (const std::string_view key : operators) {
    if (key != first && is_given(config, key)) {
      findings.add(pointer + "/" + std::string(key), "excludes " + std::string(first) + "; give one of them");
    }
  }
  if (first == "exists" && text_at(config, "which").value_or("any") != "any") {
    findings.add(pointer + "/which", "is not for exists, which asks whether there is a value at all");
  }
  if (given(config, "tolerance") && first != "equals" && first != "notEquals") {
    findings.add(pointer + "/tolerance", "is for equals and notEquals");
  }
  const auto pattern = text_at(config, "matches");
  if (!pattern) return;
  if (const auto measure = findings.patterns.measure(*pattern); !measure.fault.empty())
    findings.add(pointer + "/matches", measure.fault);
}

bool is_inside(const json::Value& wanted, const json::Value& value) {
  if (value.is(json::Kind::string))
    return wanted.is(json::Kind::string) && holds(value.string(), wanted.string());
  if (value.is(json::Kind::object)) return wanted.is(json::Kind::object) && is_part_of(wanted, value);
  if (!value.is(json::Kind::array)) return false;
  for (const json::Value& item : value.children()) {
    if (json::equal(item, wanted)) return true;
  }
  return false;
}

bool are_numbers(const json::Value& a, const json::Value& b) {
  return a.is(json::Kind::number) && b.is(json::Kind::number);
}

bool are_equal(const json::Value& a, const json::Value& b, double tolerance) {
  return agrees(a, b, {.tolerance = tolerance});
}

/// A config, parsed once for all values.
struct Operation {
  std::string_view name;
  json::Value operand;
  double tolerance;
  Work& work;
  std::optional<Pattern> pattern = {};

  [[nodiscard]] bool holds_for(const json::Value& value) {
    if (name == "equals") return are_equal(value, operand, tolerance);
    if (name == "notEquals") return !are_equal(value, operand, tolerance);
    if (name == "oneOf") return is_inside(value, operand);
    if (name == "greaterThan") return is_less(operand, value);
    if (name == "lessThan") return is_less(value, operand);
    if (name == "greaterOrEqual") return are_numbers(value, operand) && !is_less(value, operand);
    if (name == "lessOrEqual") return are_numbers(value, operand) && !is_less(operand, value);
    if (name == "contains") return is_inside(operand, value);
    if (name == "exists") return true;
    return value.is(json::Kind::string) && holds_for_text(value.string());
  }

  [[nodiscard]] bool holds_for_text(std::string_view text) {
    if (name == "startsWith") return text.starts_with(operand.string());
    if (name == "endsWith") return text.ends_with(operand.string());
    return pattern && work.matches(*pattern, text);
  }

  [[nodiscard]] std::string phrase() const {
    constexpr std::array<std::string_view, 12> phrases{"equal to",     "different from",
                                                       "one of",       "",
                                                       "greater than", "greater than or equal to",
                                                       "less than",    "less than or equal to",
                                                       "containing",   "starting with",
                                                       "ending with",  "matching"};
    for (std::size_t i = 0; i < operators.size(); ++i) {
      if (operators[i] == name) return std::string(phrases[i]) + " " + shortened(operand.raw());
    }
    return {};
  }
};

Operation operation_of(const json::Value& config, Work& work) {
  const std::string_view name = operator_of(config);
  Operation operation{name, *config.find(name), number_at(config, "tolerance").value_or(0), work};
  if (name == "matches") {
    auto pattern = Pattern::compile(operation.operand.string());
    if (pattern.ok()) operation.pattern.emplace(std::move(pattern).value());
  }
  return operation;
}

Verdict decide_exists(const json::Value& config, Conversation& conversation, const json::Value& wanted) {
  Verdict verdict = decide_json(config, conversation, "", [](const json::Value&) { return true; });
  verdict.expected.pop_back();
  if (wanted.boolean()) return verdict;
  constexpr std::string_view some = "some ";
  verdict.expected.replace(0, some.size(), "no ");
  verdict.status =
      verdict.status == AssertionStatus::passed ? AssertionStatus::failed : AssertionStatus::passed;
  return verdict;
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  Operation operation = operation_of(config, conversation.work());
  if (operation.name == "exists") return decide_exists(config, conversation, operation.operand);
  return decide_json(config, conversation, operation.phrase(),
                     [&](const json::Value& value) { return operation.holds_for(value); });
}

}  // namespace
}  // namespace json_value_kind

constinit const Kind rows::json_value{
    .name = "json",
    .summary = "Some entry's metadata has a value at a JSON pointer.",
    .keys = json_value_kind::keys,
    .check = json_value_kind::check,
    .decide = json_value_kind::decide,
};

}  // namespace parley::scoring
