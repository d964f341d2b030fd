#include "convert/promptfoo/assertions.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "convert/promptfoo/assertion_table.hpp"
#include "convert/promptfoo/data_files.hpp"
#include "convert/promptfoo/merged_maps.hpp"
#include "convert/promptfoo/settings.hpp"
#include "convert/records/checks.hpp"

namespace parley::convert {
namespace {

bool is_judged(const Check& check) {
  return check.type == "criteria";
}

/// Whether the check compares texts of the chatbot, without a judge.
bool has_text_of_chatbot(const Check& check) {
  constexpr std::array<std::string_view, 9> types{"contains",     "icontains",   "contains-any",
                                                  "contains-all", "starts-with", "equals",
                                                  "regex",        "is-json",     "word-count"};
  return std::find(types.begin(), types.end(), check.type) != types.end();
}

/// Why the value cannot be compared; empty if it can.
std::string unknown_value(const Node* value, const Variables& variables) {
  if (value != nullptr && value->is_list()) {
    for (const Node& item : value->items) {
      if (std::string why = unknown_value(&item, variables); !why.empty()) return why;
    }
  }
  if (value == nullptr || !value->is_text()) return {};
  if (is_file_reference(value->text)) return "the value is in a file that is missing or not text";
  const bool has_block = value->text.find("{%") != std::string::npos;
  return has_block && !rendered(value->text, variables) ? "the value has blocks, which are code" : "";
}

Node rendered_value(const Node& value, const Variables& variables) {
  Node out = value;
  if (value.is_text()) out.text = rendered(value.text, variables).value_or(value.text);
  for (Node& item : out.items) item = rendered_value(item, variables);
  return out;
}

/// Why an item in the list of assertions is not an assertion; empty if it is one.
std::string why_no_assertion(const Node& assertion) {
  if (assertion.is_text() && is_file_reference(assertion.text)) {
    return is_code_file(file_name_of(assertion.text))
               ? "code is never run"
               : "the file is missing, or another file of assertions names it";
  }
  if (!assertion.text_of("type").empty()) return {};
  return assertion.has("$ref") ? "the reference has no target in this file" : "it has no type";
}

/// Applies the weight, the metric and `not-` of the assertion.
void finish_check(const Node& node, bool is_negated, const Variables& variables, Mapped& result) {
  Check& check = *result.check;
  const std::string metric = node.text_of("metric");
  check.name = rendered(metric, variables).value_or(metric);
  if (const Node* weight = node.find("weight"); weight != nullptr && weight->number()) {
    check.weight = std::clamp<std::int64_t>(std::llround(std::ceil(*weight->number())), 0, 100);
    if (*check.weight == 0) check.severity = Severity::minor;
    if (std::floor(*weight->number()) != *weight->number() && result.outcome == Outcome::exact) {
      result.outcome = Outcome::approximated;
      result.why = "weights are whole numbers";
    }
  }
  if (!is_negated) return;
  if (!is_judged(check)) {
    check.negate = true;
    return;
  }
  check.criteria = "The opposite of this holds: " + check.criteria;
  result.outcome = Outcome::approximated;
  result.why = "a negated criterion is reworded";
}

/// An assertion of a set that is dissolved: the metric and weight of the set apply if it has none of its own.
Node from_set(const Node& set, Node assertion) {
  for (const std::string_view key : {"metric", "weight"}) {
    const Node* given = set.find(key);
    if (given != nullptr && !assertion.has(key)) set_member(assertion, std::string(key), *given);
  }
  return assertion;
}

void add_set(Conversion& conversion, TestDraft& draft, const Source& source, const Node& set,
             const Variables& variables, const AssertionPlace& place) {
  const Node* threshold = set.find("threshold");
  if (threshold != nullptr && threshold->number() == 0.0) threshold = nullptr;  // as in promptfoo
  TestDraft inner;
  inner.test.name = draft.test.name;
  Conversion spare{Options{}};
  spare.options.may_guess = conversion.options.may_guess;
  const std::vector<Node>& items = set.list_of("assert");
  for (const Node& each : items) add_assertion(spare, inner, source, each, variables, place);
  const bool is_whole = inner.checks_found == inner.test.checks.size() && !inner.test.checks.empty() &&
                        std::none_of(inner.test.checks.begin(), inner.test.checks.end(), is_judged);
  // Without a threshold all must pass, so each becomes a separate check.
  if (threshold == nullptr && !is_whole && !items.empty()) {
    for (const Node& each : items)
      add_assertion(conversion, draft, source, from_set(set, each), variables, place);
    return;
  }
  Item item{.source = "assert-set"};
  if (!is_whole) {
    item.why = items.empty() ? "it lists no assertions"
                             : "a set with a threshold can hold neither criteria nor what is not mapped";
    return conversion.lose(draft, {source, set.place}, std::move(item));
  }
  Mapped result{threshold == nullptr ? set_check("all", inner.test.checks)
                                     : threshold_check(to_json(*threshold), inner.test.checks)};
  if (spare.report.count(Outcome::approximated) > 0) {
    result.outcome = Outcome::approximated;
    result.why = spare.report.losses().begin()->first.why;
  }
  finish_check(set, false, variables, result);
  item.outcome = result.outcome;
  item.why = std::move(result.why);
  conversion.check(draft, std::move(*result.check), {source, set.place}, std::move(item));
}

}  // namespace

void add_assertion(Conversion& conversion, TestDraft& draft, const Source& source, const Node& assertion,
                   const Variables& variables, const AssertionPlace& place) {
  const std::string spelled = assertion.text_of("type");
  const At at{source, assertion.place};
  if (spelled == "assert-set") return add_set(conversion, draft, source, assertion, variables, place);
  if (std::string why = why_no_assertion(assertion); !why.empty()) {
    return conversion.lose(draft, at,
                           {.source = "assertion", .text = as_text(assertion), .why = std::move(why)});
  }
  const bool is_negated = spelled.starts_with("not-");
  const Node* value = assertion.find("value");
  Question question{assertion, is_negated ? spelled.substr(4) : spelled,
                    value == nullptr ? Node{} : rendered_value(*value, variables), std::nullopt, place};
  if (const Node* threshold = assertion.find("threshold")) question.threshold = threshold->number();
  Item item{.source = spelled, .text = question.text()};
  Mapped result = mapped(question, conversion.options.may_guess);
  if (std::string why = unknown_value(value, variables); result.check && !why.empty()) {
    result = {std::nullopt, Outcome::not_mapped, std::move(why)};
  }
  if (!result.check) {
    item.why = std::move(result.why);
    return conversion.lose(draft, at, std::move(item));
  }
  finish_check(assertion, is_negated, variables, result);
  if (place.is_simulated && result.outcome == Outcome::exact && has_text_of_chatbot(*result.check)) {
    result.outcome = Outcome::approximated;
    result.why = "the source also reads the words of the simulated user, parley only those of the chatbot";
  }
  item.outcome = result.outcome;
  item.why = std::move(result.why);
  item.needs = std::move(result.needs);
  const bool is_criterion = is_judged(*result.check);
  conversion.check(draft, std::move(*result.check), at, std::move(item));
  for (const std::string_view key : {"threshold", "rubricPrompt", "provider"}) {
    const Node* setting = assertion.find(key);
    if (!is_criterion || setting == nullptr) continue;
    conversion.note(draft, {source, setting->place},
                    {.kind = ItemKind::run,
                     .outcome = Outcome::ignored,
                     .source = std::string(key),
                     .text = settings_text(*setting)});
  }
}

}  // namespace parley::convert
