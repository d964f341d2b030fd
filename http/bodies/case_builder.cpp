#include "http/bodies/case_builder.hpp"

#include <algorithm>

#include "scoring/kinds.hpp"
#include "tester/replay.hpp"

namespace parley::http {
namespace {

template <class T, class Link>
Expected<std::optional<T>> find_linked(const store::Snapshot& snapshot, const std::optional<Link>& link) {
  if (!link) return std::optional<T>{};
  return snapshot.find<T>(link->id);
}

/// Whether the run already expected the test before it was archived (D42).
bool is_expected(const store::Snapshot& snapshot, const Run& run, const Id& test) {
  const auto cases = snapshot.run_cases(run.stamp.id);
  return cases.ok() && std::any_of(cases.value().begin(), cases.value().end(),
                                   [&](const ExpectedCase& each) { return each.test == test; });
}

void check_test(const store::Snapshot& snapshot, const Test& test, const std::optional<Run>& run,
                Findings& findings) {
  if (run && run->scenario != test.scenario) findings.add("/test", "must be a test of the run's scenario");
  if (test.is_archived && !(run && is_expected(snapshot, *run, test.stamp.id))) {
    findings.add("/test", "is archived");
  }
}

}  // namespace

Expected<NamedRecords> named_records(const store::Snapshot& snapshot, const ResultBody& body) {
  NamedRecords named;
  TRY(test, find_linked<Test>(snapshot, body.test));
  TRY(run, find_linked<Run>(snapshot, body.run));
  TRY(agent, snapshot.find<Agent>(body.agent.id));
  const auto scenario = run ? std::optional(run->scenario.id) : std::nullopt;
  TRY(parts, actors::load_parts(snapshot, std::move(test), scenario));
  named.parts = std::move(parts);
  if (body.source_conversation_log) {
    TRY(log, snapshot.find<ExternalLog>(body.source_conversation_log->id));
    if (log) named.parts.logs.insert(named.parts.logs.begin(), std::move(*log));
  }
  named.run = std::move(run);
  named.agent = std::move(agent);
  return named;
}

void check_agent_allowed(const Scenario& scenario, const Id& agent, Findings& findings) {
  if (!allows_agent(scenario, agent))
    findings.add("/agent", "is not one of the agents that the scenario allows");
}

void check_tag_configs(const std::vector<TestConfig>& configs, Findings& findings) {
  std::size_t count = 0;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (configs[i].tags.empty() || ++count <= tag_configs_max) continue;
    return findings.add("/testConfigs/" + std::to_string(i) + "/tags",
                        "is one too many: at most 100 of testConfigs may have tags");
  }
}

void check_chooses_tests(const TestConfig& config, const std::string& pointer, Findings& findings) {
  if (!config.test && config.tags.empty()) findings.add(pointer, "is required, or else tags");
  if (config.test && !config.tags.empty()) findings.add(pointer, "excludes tags; give one of them");
}

Expected<Done> check_agent_usable(const Agent& agent) {
  if (agent.is_archived)
    return problem(ProblemKind::conflict, "the agent is archived; restore it or use another one");
  if (!agent.is_enabled)
    return problem(ProblemKind::conflict, "the agent is disabled; enable it or use another one");
  return Done{};
}

void check_fit(const store::Snapshot& snapshot, const NamedRecords& named, Findings& findings) {
  if (named.parts.test) check_test(snapshot, *named.parts.test, named.run, findings);
  if (!named.agent) return;
  const Id& agent = named.agent->stamp.id;
  if (named.run && named.run->agent.id != agent) findings.add("/agent", "must be the agent of the run");
  if (const auto* closed = actors::log_closed_to(named.parts, agent))
    findings.add("/agent", actors::closed_log_detail(*closed));
  if (named.parts.scenario) check_agent_allowed(*named.parts.scenario, agent, findings);
}

std::string script_of(const ExternalLog& log, Findings& findings) {
  auto script = tester::replay_script(entries_of(log));
  if (script) return std::move(script).value();
  findings.add("/sourceConversationLog", "cannot be replayed: " + script.problem().detail);
  return {};
}

TestCase build_case(const ResultBody& body, const NamedRecords& named, Time now, Findings& findings) {
  auto composed = actors::compose_case(named.parts, {body.test_instruction, body.assertion_results});
  if (!composed) {
    findings.add(body.assertion_results.empty() ? "/test" : "/assertionResults",
                 std::string(actors::too_much_put_in));
    return {};
  }
  TestCase made = std::move(*composed);
  if (!named.parts.logs.empty() && !body.test && !body.test_instruction)
    made.instruction = script_of(named.parts.logs.front(), findings);
  if (made.instruction.size() > limits::instruction_bytes_max) {
    findings.add(body.test_instruction ? "/testInstruction" : "/test",
                 "gives a composed instruction of more than 256 KiB");
  }
  if (!body.assertion_results.empty() && made.assertions.size() > limits::override_assertions_max) {
    findings.add("/assertionResults", "must give at most 15 assertions, including those of the variant");
  }
  RandomIds ids;
  scoring::complete(made.assertions, now, ids);
  return made;
}

}  // namespace parley::http
