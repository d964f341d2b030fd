#include "actors/run/case_generation.hpp"

#include <algorithm>

#include "actors/base/case_fields.hpp"
#include "model/limits.hpp"
#include "model/values/metadata.hpp"
#include "tester/compose.hpp"
#include "tester/template_fields.hpp"

namespace parley::actors {
namespace {

tester::CasePart part_of(const std::optional<Test>& test) {
  return test ? tester::CasePart{test->instruction, test->assertions} : tester::CasePart{};
}

/// A variant overlaid on its parent, or the test as stored; overriding assertions replace those of the base.
tester::Composed composed(const CaseParts& parts, const CaseOverride& instead) {
  tester::CasePart base = part_of(parts.parent ? parts.parent : parts.test);
  if (!instead.assertions.empty()) base.assertions = instead.assertions;
  auto made = tester::compose(base, parts.parent ? part_of(parts.test) : tester::CasePart{});
  if (instead.instruction) made.instruction = *instead.instruction;
  return made;
}

/// A variant's own messages, or else its parent's.
std::vector<HistoryMessage> history_of(const CaseParts& parts) {
  if (!parts.test) return {};
  const bool is_inherited = parts.test->history.empty() && parts.parent;
  return is_inherited ? parts.parent->history : parts.test->history;
}

/// The test's metadata merged over its parent's.
std::optional<json::Text> metadata_of(const CaseParts& parts) {
  if (!parts.test) return std::nullopt;
  json::Text all = parts.parent ? merged(parts.parent->metadata, parts.test->metadata) : parts.test->metadata;
  return all == json::Text{} ? std::nullopt : std::optional(std::move(all));
}

Expected<Done> add_log_of(const store::Snapshot& snapshot, const std::optional<Test>& test,
                          std::vector<ExternalLog>& logs) {
  if (!test || !test->source_conversation_log) return Done{};
  TRY(found, snapshot.find_listed<ExternalLog>(test->source_conversation_log->id));
  if (found) logs.push_back(std::move(*found));  // it may have been deleted since
  return Done{};
}

}  // namespace

Expected<CaseParts> load_parts(const store::Snapshot& snapshot, std::optional<Test> test,
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
  for (const auto* each : {&test, &parts.parent}) {
    if (auto fine = add_log_of(snapshot, *each, parts.logs); !fine) return std::move(fine).problem();
  }
  parts.test = std::move(test);
  return parts;
}

const ExternalLog* log_closed_to(const CaseParts& parts, const Id& agent) {
  const auto found = std::find_if(parts.logs.begin(), parts.logs.end(),
                                  [&](const ExternalLog& log) { return !allows_agent(log, agent); });
  return found == parts.logs.end() ? nullptr : &*found;
}

std::string closed_log_detail(const ExternalLog& log) {
  return "is not one of the agents that may re-run the log " + to_text(log.stamp.id);
}

std::optional<TestCase> compose_case(const CaseParts& parts, const CaseOverride& instead) {
  tester::Composed made = composed(parts, instead);
  std::vector<HistoryMessage> history = history_of(parts);
  const FieldSources sources{parts.test, parts.parent, parts.scenario, parts.configuration};
  const auto of_test = json::parse(test_values(sources).text);
  const auto of_scenario = json::parse(scenario_values(sources).text);
  if (of_test.ok() && of_scenario.ok()) {
    const tester::TemplateFields texts(of_test->root(), of_scenario->root());
    if (!texts.put_in(made.assertions)) return std::nullopt;
    made.instruction = texts.put_in(made.instruction, limits::instruction_bytes_max);
    for (HistoryMessage& message : history) {
      if (message.content) message.content = texts.put_in(*message.content, limits::content_bytes_max);
    }
  }
  return TestCase{std::move(made.instruction), std::move(made.assertions), std::move(history),
                  metadata_of(parts)};
}

Expected<std::optional<TestCase>> generate_case(const store::Snapshot& snapshot, const Test& test) {
  TRY(parts, load_parts(snapshot, test, std::nullopt));
  return compose_case(parts, {});
}

}  // namespace parley::actors
