// The type `json`: a value inside the metadata of the entries.

#include <array>
#include <cmath>

#include "scoring/arguments.hpp"
#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array keys{
    ConfigKey{"pointer", true, ConfigType::text,
              "RFC 6901 pointer into an entry's metadata, such as /order/total."},
    ConfigKey{"entries", false, ConfigType::text,
              "Which entries are looked at: messages, tools, events or all (default)."},
    ConfigKey{"equals", false, ConfigType::any, "The value is this; one of these five keys is needed."},
    ConfigKey{"exists", false, ConfigType::flag, "true: some entry has the pointer; false: none has."},
    ConfigKey{"greaterThan", false, ConfigType::number, "The value is a number above this one."},
    ConfigKey{"lessThan", false, ConfigType::number, "The value is a number below this one."},
    ConfigKey{"contains", false, ConfigType::any,
              "The value is a text that contains this text, a list with this item, or an object with these "
              "members."},
};

constexpr std::array<std::string_view, 5> operators{"equals", "exists", "greaterThan", "lessThan",
                                                    "contains"};

/// For equals and contains null is a value to look for; for the others it means left out (D5).
bool is_given(const json::Value& config, std::string_view key) {
  return key == "equals" || key == "contains" ? config.find(key).has_value() : given(config, key).has_value();
}

std::string_view operator_of(const json::Value& config) {
  for (const std::string_view key : operators) {
    if (is_given(config, key)) return key;
  }
  return {};
}

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto path = text_at(config, "pointer");
  if (path && !json::is_pointer(*path)) {
    findings.add(pointer + "/pointer", "must be empty or begin with '/' (RFC 6901)");
  }
  const auto entries = text_at(config, "entries");
  if (entries && *entries != "messages" && *entries != "tools" && *entries != "events" && *entries != "all") {
    findings.add(pointer + "/entries", "must be messages, tools, events or all");
  }
  const std::string_view first = operator_of(config);
  if (first.empty())
    findings.add(pointer + "/equals", "is required, or else exists, greaterThan, lessThan or contains");
  for (const std::string_view key : operators) {
    if (key != first && is_given(config, key)) {
      findings.add(pointer + "/" + std::string(key), "excludes " + std::string(first) + "; give one of them");
    }
  }
}

bool is_looked_at(const Entry& entry, std::string_view entries) {
  if (entries == "messages") return entry.type == EntryType::message;
  if (entries == "tools") return entry.type == EntryType::tool;
  return entries != "events" || is_event(entry.type);
}

bool is_less(const json::Value& a, const json::Value& b) {
  if (!a.is(json::Kind::number) || !b.is(json::Kind::number)) return false;
  const auto left = a.integer();
  const auto right = b.integer();
  // Beyond 2^53 doubles no longer tell whole numbers apart.
  return left && right ? *left < *right : a.number() < b.number();
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

bool satisfies(const json::Value& value, std::string_view operation, const json::Value& operand) {
  if (operation == "equals") return json::equal(value, operand);
  if (operation == "greaterThan") return is_less(operand, value);
  if (operation == "lessThan") return is_less(value, operand);
  if (operation == "contains") return is_inside(operand, value);
  return true;  // exists
}

std::string expectation(std::string_view operation, const json::Value& operand, std::string_view pointer) {
  const std::string where = pointer.empty() ? "its whole metadata" : std::string(pointer);
  if (operation == "exists") return (operand.boolean() ? "some entry has " : "no entry has ") + where;
  std::string_view relation = "equal to ";
  if (operation == "greaterThan") relation = "greater than ";
  if (operation == "lessThan") relation = "less than ";
  if (operation == "contains") relation = "containing ";
  return "some entry has " + where + " " + std::string(relation) + shortened(operand.raw());
}

/// What the entries in question say at the pointer.
struct Looked {
  std::vector<Id> having;
  std::vector<Id> satisfying;
  std::size_t having_count = 0;
  std::size_t satisfying_count = 0;
  std::string sample;  ///< the first satisfying value, else the last one seen
};

Looked look(const json::Value& config, Conversation& conversation, std::string_view operation,
            const json::Value& operand) {
  const std::string_view pointer = text_at(config, "pointer").value_or("");
  const std::string_view entries = text_at(config, "entries").value_or("all");
  Looked looked;
  for (const Entry& entry : conversation.entries()) {
    if (!is_looked_at(entry, entries)) continue;
    const auto value = json::at_pointer(conversation.metadata(entry), pointer);
    if (!value) continue;
    ++looked.having_count;
    note(looked.having, entry);
    const bool is_first = looked.satisfying_count == 0;
    if (satisfies(*value, operation, operand)) {
      ++looked.satisfying_count;
      note(looked.satisfying, entry);
    }
    if (is_first) looked.sample = shortened(value->raw());
  }
  return looked;
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view operation = operator_of(config);
  const json::Value operand = *config.find(operation);
  const Looked looked = look(config, conversation, operation, operand);
  const bool wants_none = operation == "exists" && !operand.boolean();
  const bool passed = wants_none ? looked.having_count == 0 : looked.satisfying_count > 0;

  Verdict verdict{passed ? AssertionStatus::passed : AssertionStatus::failed,
                  expectation(operation, operand, text_at(config, "pointer").value_or("")),
                  {},
                  passed ? looked.satisfying : looked.having};
  if (looked.having_count == 0) {
    verdict.found = "no entry has it";
  } else if (looked.satisfying_count > 0) {
    verdict.found = counted(looked.satisfying_count, "such value") + ", the first is " + looked.sample;
  } else {
    verdict.found = counted(looked.having_count, "other value") + ", the last is " + looked.sample;
  }
  return verdict;
}

}  // namespace

constinit const Kind rows::json_value{
    .name = "json",
    .summary = "Some entry's metadata has a value at a JSON pointer.",
    .keys = keys,
    .check = check,
    .decide = decide,
};

}  // namespace parley::scoring
