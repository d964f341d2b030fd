#pragma once
/// Prepares the generated case of POST /test-results/ (D32, D42): checks the body against the records that it
/// names. actors/case_generation composes the case. Any thread; reads one snapshot.

#include "actors/commands.hpp"
#include "actors/run/case_generation.hpp"
#include "http/bodies/result_bodies.hpp"
#include "model/description/record_parse.hpp"
#include "model/records/agent.hpp"
#include "model/records/external_log.hpp"
#include "model/records/run.hpp"
#include "model/records/scenario.hpp"
#include "model/records/test.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// The records that a body names, if they exist.
struct NamedRecords {
  actors::CaseParts parts;  ///< the scenario is the test's, else the run's
  std::optional<Run> run;
  std::optional<Agent> agent;
};

/// Reads the records. Problem: internal for a damaged one.
[[nodiscard]] Expected<NamedRecords> named_records(const store::Snapshot& snapshot, const ResultBody& body);

/// Adds a fault for each pair of records that does not fit together (D42).
void check_fit(const store::Snapshot& snapshot, const NamedRecords& named, Findings& findings);

/// The log's user turns as a script. Adds a fault at `/sourceConversationLog` if they cannot be replayed.
[[nodiscard]] std::string script_of(const ExternalLog& log, Findings& findings);

/// The composed case, with placeholders replaced. Adds faults if it exceeds its bounds.
[[nodiscard]] TestCase build_case(const ResultBody& body, const NamedRecords& named, Time now,
                                  Findings& findings);

/// Adds a fault at `/agent` if the scenario lists agents and this is not one of them (D42, D43).
void check_agent_allowed(const Scenario& scenario, const Id& agent, Findings& findings);
/// Of one list of testConfigs: each one scans all tests of the scenario.
inline constexpr std::size_t tag_configs_max = 100;
/// Adds a fault at the first of the testConfigs with tags that exceeds the limit.
void check_tag_configs(const std::vector<TestConfig>& configs, Findings& findings);
/// Adds a fault at `pointer` unless the config has either a test or tags (D43, D108).
void check_chooses_tests(const TestConfig& config, const std::string& pointer, Findings& findings);
/// Problem: conflict for an archived or disabled agent.
[[nodiscard]] Expected<Done> check_agent_usable(const Agent& agent);

}  // namespace parley::http
