#pragma once
/// Prepares the generated case of POST /test-results/ (D32, D42): checks the body against the records that it names.
/// actors/case_generation composes the case. Any thread; reads one snapshot.

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
  actors::CaseParts parts;  ///< the scenario of the test, or else that of the run
  std::optional<Run> run;
  std::optional<Agent> agent;
};

/// Reads the records. Problem: internal for a damaged record.
[[nodiscard]] Expected<NamedRecords> named_records(const store::Snapshot& snapshot, const ResultBody& body);

/// Adds a fault for each pair of records that does not fit together (D42).
void check_fit(const store::Snapshot& snapshot, const NamedRecords& named, Findings& findings);

/// The log's user turns as a script. Adds a fault at `/sourceConversationLog` if they cannot be replayed.
[[nodiscard]] std::string script_of(const ExternalLog& log, Findings& findings);

/// The composed case with its placeholders replaced. Adds faults if it exceeds its bounds.
[[nodiscard]] TestCase build_case(const ResultBody& body, const NamedRecords& named, Time now,
                                  Findings& findings);

/// Adds a fault at `/agent` if the scenario lists agents and does not list this one (D42, D43).
void check_agent_allowed(const Scenario& scenario, const Id& agent, Findings& findings);
/// The limit for one list of testConfigs: each config with tags scans all tests of the scenario.
inline constexpr std::size_t tag_configs_max = 100;
/// Adds a fault at the first config with tags that exceeds the limit.
void check_tag_configs(const std::vector<TestConfig>& configs, Findings& findings);
/// Adds a fault at `pointer` unless the config has either a test or tags (D43, D108).
void check_chooses_tests(const TestConfig& config, const std::string& pointer, Findings& findings);
/// Problem: conflict for an archived or disabled agent.
[[nodiscard]] Expected<Done> check_agent_usable(const Agent& agent);

}  // namespace parley::http
