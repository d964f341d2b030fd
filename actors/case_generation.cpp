#include "actors/case_generation.hpp"

#include "model/custom_fields.hpp"
#include "model/limits.hpp"
#include "tester/compose.hpp"
#include "tester/field_texts.hpp"

namespace parley::actors {
namespace {

tester::CasePart part_of(const std::optional<Test>& test) {
  return test ? tester::CasePart{test->instruction, test->assertions} : tester::CasePart{};
}

/// A variant's overlay on its parent, or the test as it stands; overridden assertions in place of the base ones.
tester::Composed composed(const CaseParts& parts, const CaseOverride& instead) {
  tester::CasePart base = part_of(parts.parent ? parts.parent : parts.test);
  if (!instead.assertions.empty()) base.assertions = instead.assertions;
  auto made = tester::compose(base, parts.parent ? part_of(parts.test) : tester::CasePart{});
  if (instead.instruction) made.instruction = *instead.instruction;
  return made;
}

/// A default of the test stands for what neither it nor the scenario gives.
json::Text test_values(const CaseParts& parts) {
  if (!parts.test) return {};
  const json::Text none;
  const json::Text own = laid_over({parts.test->fields, parts.parent ? parts.parent->fields : none});
  if (!parts.configuration) return own;
  return with_defaults({own, parts.scenario ? parts.scenario->fields : none},
                       parts.configuration->test_fields);
}

json::Text scenario_values(const CaseParts& parts) {
  if (!parts.scenario) return {};
  const json::Text& own = parts.scenario->fields;
  return parts.configuration ? with_defaults({own, {}}, parts.configuration->scenario_fields) : own;
}

}  // namespace

Result<CaseParts> load_parts(const store::Snapshot& snapshot, std::optional<Test> test,
                             const std::optional<Id>& scenario) {
  CaseParts parts;
  const auto parent = test && test->parent_test ? id_from_text(*test->parent_test) : std::nullopt;
  if (parent) {
    TRY(found, snapshot.find_listed<Test>(*parent));
    parts.parent = std::move(found);
  }
  if (const auto owner = test ? std::optional(test->scenario.id) : scenario) {
    TRY(found, snapshot.find_listed<Scenario>(*owner));
    parts.scenario = std::move(found);
  }
  if (parts.scenario && parts.scenario->configuration) {
    TRY(found, snapshot.find_listed<ScenarioConfiguration>(parts.scenario->configuration->id));
    parts.configuration = std::move(found);
  }
  if (test) {
    const auto& own = test->source_conversation_log;
    const auto log = own || !parts.parent ? own : parts.parent->source_conversation_log;
    if (log) {
      TRY(found, snapshot.find_listed<ExternalLog>(log->id));
      parts.log = std::move(found);
    }
  }
  parts.test = std::move(test);
  return parts;
}

std::optional<ResultCase> compose_case(const CaseParts& parts, const CaseOverride& instead) {
  tester::Composed made = composed(parts, instead);
  const auto of_test = json::parse(test_values(parts).text);
  const auto of_scenario = json::parse(scenario_values(parts).text);
  if (of_test.ok() && of_scenario.ok()) {
    const tester::FieldTexts texts(of_test->root(), of_scenario->root());
    if (!texts.put_in(made.assertions)) return std::nullopt;
    made.instruction = texts.put_in(made.instruction, limits::instruction_bytes_max);
  }
  return ResultCase{std::move(made.instruction), std::move(made.assertions)};
}

Result<std::optional<ResultCase>> generate_case(const store::Snapshot& snapshot, const Test& test) {
  TRY(parts, load_parts(snapshot, test, std::nullopt));
  return compose_case(parts, {});
}

}  // namespace parley::actors
