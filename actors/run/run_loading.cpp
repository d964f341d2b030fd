#include "actors/run/run_loading.hpp"

#include <unordered_map>

#include "actors/run/case_generation.hpp"
#include "model/description/record_write.hpp"
#include "model/limits.hpp"
#include "model/records/agent.hpp"
#include "model/records/scenario.hpp"
#include "store/list.hpp"
#include "tester/warnings.hpp"

namespace parley::actors {
namespace {

/// A case to run: the test and its personality.
struct PlannedCase {
  Id test;  ///< read again when needed: all tests of a scenario together may be gigabytes
  std::optional<Ref<RecordKind::personality>> personality;
  std::int64_t repetitions = 1;
};

Expected<std::vector<PlannedCase>> cases_of_configs(const store::Snapshot& snapshot, const Run& run) {
  std::vector<PlannedCase> planned;
  for (const TestConfig& config : run.test_configs) {
    if (!config.test) continue;
    TRY(test, snapshot.find_listed<Test>(config.test->id));
    if (!test || test->is_archived) continue;
    planned.push_back(
        {config.test->id, personality_of(run, &config), config.repetitions.value_or(run.repetitions)});
  }
  return planned;
}

Expected<std::vector<PlannedCase>> cases_of_scenario(const store::Snapshot& snapshot, const Run& run) {
  store::ListQuery query{};
  query.kind = RecordKind::test;
  query.filters.push_back({store::Facet::scenario, {store::value_of(run.scenario.id)}});
  TRY(ids, store::all_ids(snapshot, query));
  std::vector<PlannedCase> planned;
  for (const Id& id : ids) {
    TRY(test, snapshot.find_listed<Test>(id));
    if (test && test->is_enabled) planned.push_back({id, run.personality, run.repetitions});
  }
  return planned;
}

Expected<std::vector<PlannedCase>> planned_cases(const store::Snapshot& snapshot, const Run& run) {
  TRY(planned, run.test_configs.empty() ? cases_of_scenario(snapshot, run) : cases_of_configs(snapshot, run));
  std::int64_t total = 0;
  for (const PlannedCase& one : planned) total += one.repetitions;
  if (total > static_cast<std::int64_t>(limits::cases_max)) {
    return body_fault("/repetitions",
                      "the run would have " + std::to_string(total) + " cases; at most 20,000 fit");
  }
  return planned;
}

std::vector<ExpectedCase> expected_of(const std::vector<PlannedCase>& planned) {
  std::vector<ExpectedCase> expected;
  std::unordered_map<Id, std::size_t> places;
  for (const PlannedCase& one : planned) {
    const auto [place, is_new] = places.try_emplace(one.test, expected.size());
    if (is_new) expected.push_back({one.test, 0});
    expected[place->second].count += one.repetitions;
  }
  return expected;
}

/// What was checked when the run or its schedule was created may have changed since (D42, D43).
Expected<Done> check_scope(const store::Snapshot& snapshot, const Run& run) {
  TRY(scenario, snapshot.find<Scenario>(run.scenario.id));
  if (scenario && !allows_agent(*scenario, run.agent.id))
    return body_fault("/agent", "is not one of the agents that the scenario allows");
  for (const TestConfig& config : run.test_configs) {
    if (!config.test) continue;
    TRY(test, snapshot.find<Test>(config.test->id));
    if (!test || (!test->is_archived && test->scenario == run.scenario)) continue;
    return body_fault("/testConfigs",
                      "names the test " + to_text(config.test->id) +
                          (test->is_archived ? ", which is archived" : " of another scenario"));
  }
  return Done{};
}

/// 400 for a test for which POST /test-results/ would not create a case either.
Problem test_fault(const Run& run, const Id& test, std::string_view what) {
  return body_fault(run.test_configs.empty() ? "/scenario" : "/testConfigs",
                    "has the test " + to_text(test) + ", which " + std::string(what));
}

/// 400 for a case that is too long, or for cases that would not fit into one commit.
std::optional<Problem> launch_fault(const Run& run, const Id& test, const TestCase& test_case,
                                    std::size_t bytes) {
  if (test_case.instruction.size() > limits::instruction_bytes_max)
    return test_fault(run, test, "has a composed instruction of more than 256 KiB");
  if (bytes > limits::launch_bytes_max) {
    return body_fault(!run.test_configs.empty() ? "/testConfigs" : "/repetitions",
                      "the cases of the run would exceed 128 MiB; make more than one run of them, "
                      "or shorten their instructions");
  }
  return std::nullopt;
}

Expected<Done> add_results(const store::Snapshot& snapshot, const Run& run, const Agent& agent,
                           const std::vector<PlannedCase>& planned, const DecisionContext& moment,
                           Launch& launch) {
  std::unordered_map<Id, std::int64_t> made;  // a test may be planned more than once
  std::size_t bytes = 0;
  for (const PlannedCase& one : planned) {
    TRY(test, snapshot.find_listed<Test>(one.test));
    if (!test) return unknown_record("test", to_text(one.test));
    TRY(parts, load_parts(snapshot, test, std::nullopt));
    CreateResult command;
    if (const auto* closed = log_closed_to(parts, agent.stamp.id))
      return body_fault("/agent", closed_log_detail(*closed) + " of the test " + to_text(one.test));
    if (!parts.logs.empty())
      command.source_conversation_log = Ref<RecordKind::external_log>{parts.logs.front().stamp.id};
    command.test = Ref<RecordKind::test>{one.test};
    command.run = Ref<RecordKind::run>{run.stamp.id};
    command.seed = run.seed;
    command.agent = run.agent;
    command.personality = one.personality;
    command.driving = driving_of(agent.type, false);
    command.test_created_at = test->stamp.created_at();
    auto composed = compose_case(parts, {});
    if (!composed) return test_fault(run, one.test, too_much_put_in);
    command.test_case = std::move(*composed);
    command.warned.add(tester::warnings_of_case(command.test_case, std::nullopt));
    if (command.test_case.metadata) command.extras.metadata = *command.test_case.metadata;
    bytes += write_stored(command.test_case).size() * static_cast<std::size_t>(one.repetitions);
    if (auto fault = launch_fault(run, one.test, command.test_case, bytes)) return std::move(*fault);
    for (std::int64_t i = 0; i < one.repetitions; ++i) {
      command.repetition = made[one.test]++;
      launch.results.push_back(new_result(command, moment));
    }
  }
  return Done{};
}

}  // namespace

Expected<std::vector<ExpectedCase>> expected_cases(const store::Snapshot& snapshot, const Run& run) {
  TRY(planned, planned_cases(snapshot, run));
  return expected_of(planned);
}

Expected<std::vector<TestConfig>> resolved_configs(const store::Snapshot& snapshot, const Run& run) {
  std::vector<TestConfig> resolved;
  for (const TestConfig& config : run.test_configs) {
    if (config.test || config.tags.empty()) {
      resolved.push_back(config);
      continue;
    }
    store::ListQuery query{};
    query.kind = RecordKind::test;
    query.filters.push_back({store::Facet::scenario, {store::value_of(run.scenario.id)}});
    store::FacetFilter tags{store::Facet::tag, {}};
    for (const std::string& tag : config.tags) tags.any_of.push_back(store::value_of(std::string_view(tag)));
    query.filters.push_back(std::move(tags));
    TRY(ids, store::all_ids(snapshot, query));
    for (const Id& id : ids) {
      TRY(test, snapshot.find_listed<Test>(id));
      if (test && test->is_enabled)
        resolved.push_back({Ref<RecordKind::test>{id}, config.personality, config.repetitions, {}});
    }
  }
  return resolved;
}

Expected<bool> is_served(const store::Snapshot& snapshot, const Run& run) {
  TRY(agent, snapshot.find<Agent>(run.agent.id));
  return agent && gets_results_at_launch(agent->type);
}

Expected<Launch> prepare_launch(const store::Snapshot& snapshot, const Run& run,
                                const DecisionContext& moment) {
  TRY(agent, snapshot.find_listed<Agent>(run.agent.id));
  if (!agent) return body_fault("/agent", "there is no agent with this id");
  if (agent->is_archived || !agent->is_enabled) {
    return problem(ProblemKind::conflict,
                   "the agent is archived or disabled; the run cannot be launched with it");
  }
  TRY_DONE(check_scope(snapshot, run));
  TRY(planned, planned_cases(snapshot, run));
  Launch launch;
  launch.expected = expected_of(planned);
  launch.is_served = gets_results_at_launch(agent->type);
  launch.makes_results = run.generate_results.value_or(launch.is_served);
  if (!launch.makes_results) return launch;
  TRY_DONE(add_results(snapshot, run, *agent, planned, moment, launch));
  return launch;
}

}  // namespace parley::actors
