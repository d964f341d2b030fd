#pragma once
/// Runs (D35, D43-D45). The `result` in responses is computed from the run's counters when it is read; the
/// store holds only the part that a client provided.

#include <map>

#include "model/description/record.hpp"
#include "model/limits.hpp"

namespace parley {

enum class RunStatus : std::uint8_t { fresh, pending, running, completed, failed, canceled };
template <>
struct Words<RunStatus> {
  static constexpr std::array<std::string_view, 6> all{"new",       "pending", "running",
                                                       "completed", "failed",  "canceled"};
};

[[nodiscard]] constexpr bool is_terminal(RunStatus status) {
  return status == RunStatus::completed || status == RunStatus::failed || status == RunStatus::canceled;
}

/// How a run was canceled; a retry can re-open only a run that was not canceled by hand (D50).
enum class CanceledBy : std::uint8_t { nobody, operation, patch };
template <>
struct Words<CanceledBy> {
  static constexpr std::array<std::string_view, 3> all{"nobody", "operation", "patch"};
};

/// The progress of hallucination detection (D24).
enum class DetectionStatus : std::uint8_t { pending, running, completed, failed };
template <>
struct Words<DetectionStatus> {
  static constexpr std::array<std::string_view, 4> all{"pending", "running", "completed", "failed"};
};

struct TestConfig {
  std::optional<Ref<RecordKind::test>> test;  ///< always set in a run
  std::optional<Ref<RecordKind::personality>> personality;
  std::optional<std::int64_t> repetitions;
  std::vector<std::string> tags;  ///< instead of the test; a run has the tests that had one of these tags

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("test", self.test, Rules{}, "The test to run; this or `tags` is needed.");
    v.field("personality", self.personality, Rules{}, "Personality for these repetitions.");
    v.field("repetitions", self.repetitions, Rules{.least = 1, .most = limits::repetitions_max},
            "How many times the test runs; if absent, the run's `repetitions`.");
    v.field("tags", self.tags, Rules{.chars_max = limits::tag_chars_max, .items_max = limits::test_tags_max},
            "Instead of `test`: every enabled test of the scenario that has one of these tags.");
  }
  bool operator==(const TestConfig&) const = default;
};

/// True while a detection is unfinished.
[[nodiscard]] constexpr bool is_under_way(const std::optional<DetectionStatus>& status) {
  return status == DetectionStatus::pending || status == DetectionStatus::running;
}

struct Run {
  Stamp stamp;
  std::string name;
  json::Text metadata;
  std::optional<std::int64_t> seed;  ///< sent to the models that accept one (D103)
  Ref<RecordKind::scenario> scenario;
  RunStatus status = RunStatus::fresh;
  json::Text result;  ///< the client's part
  Ref<RecordKind::agent> agent;
  std::optional<Ref<RecordKind::personality>> personality;
  std::vector<TestConfig> test_configs;
  std::int64_t repetitions = 1;
  std::int64_t max_concurrent_tests = 0;
  std::optional<Ref<RecordKind::user>> created_by;
  bool is_archived = false;
  std::optional<Ref<RecordKind::run_group>> run_group;
  std::optional<Ref<RecordKind::scheduled_run>> scheduled_run;
  std::optional<DetectionStatus> hallucination_status;
  std::int64_t detection = 0;  ///< number of the last detection; distinguishes its claims from older ones
  std::int64_t detection_attempts =
      0;  ///< how many times a crash interrupted the detection before it made any progress (I10)
  std::optional<bool> generate_results;
  std::optional<json::Text> usage;  ///< never stored: computed from the run's counters
  /// How many cases the run expects (their list is a RunCases record); 0 after the client closed it early (D44).
  std::int64_t expected = 0;
  bool is_launched = false;
  CanceledBy canceled_by = CanceledBy::nobody;

  /// Whether a change to `to` launches a run that does not exist yet or is new (D43). The run becomes
  /// pending, or running with results that the service creates, because the agent is server-driven or a
  /// client requests it.
  [[nodiscard]] bool is_launched_as(RunStatus to, bool is_served) const {
    return to == RunStatus::pending || (to == RunStatus::running && generate_results.value_or(is_served));
  }
  /// The same for a change of this run's status; false without a change.
  [[nodiscard]] bool is_launched_by(const std::optional<RunStatus>& change, bool is_served) const {
    return status == RunStatus::fresh && change && is_launched_as(*change, is_served);
  }

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::run;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("scenario", self.scenario, Rules{.access = Access::create, .required = true},
            "The scenario that is run.");
    v.field("status", self.status, Rules{.required = true},
            "new, pending, running, completed, failed or canceled.");
    v.field("agent", self.agent, Rules{.access = Access::create, .required = true}, "The agent under test.");
    v.field("personality", self.personality, Rules{.access = Access::create}, "Personality for this run.");
    v.field("testConfigs", self.test_configs,
            Rules{.access = Access::create, .items_max = limits::cases_max, .minimal = false},
            "Which tests run, each with personality and repetitions.");
    v.field("repetitions", self.repetitions,
            Rules{.access = Access::create, .least = 1, .most = limits::repetitions_max},
            "How many times each test runs, unless its entry in testConfigs sets a number.");
    v.field("maxConcurrentTests", self.max_concurrent_tests,
            Rules{.access = Access::create, .least = 0, .most = limits::concurrent_tests_max},
            "Limit on concurrent conversations for server-driven agents; 0: the server's default.");
    v.field("createdBy", self.created_by, Rules{.access = Access::service},
            "Who started it; null when scheduled.");
    v.field("isArchived", self.is_archived, Rules{}, "Archived records are listed only on request.");
    v.field("runGroup", self.run_group, Rules{.access = Access::create}, "The group it was launched in.");
    v.field("scheduledRun", self.scheduled_run, Rules{.access = Access::service},
            "The schedule that created the run.");
    v.field("hallucinationStatus", self.hallucination_status, Rules{.access = Access::service},
            "null, pending, running, completed or failed.");
    v.field("generateResults", self.generate_results, Rules{.access = Access::create, .shown_if_null = false},
            "Whether the launch creates the results; where absent, for all agents but EXTERNAL ones.");
    v.field("name", self.name, Rules{.chars_max = limits::name_chars_max}, "The display name of the run.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::run_metadata_bytes_max, .minimal = false},
            "Any object, such as the commit that was tested; a PATCH replaces it.");
    v.field("seed", self.seed, Rules{},
            "Sent to the tester's, the judge's and the agent's model with each request of the run.");
    v.field("usage", self.usage, Rules{.access = Access::service, .minimal = false, .schema = "RunUsage"},
            "What agent, tester and judge used, over all results of the run, replaced ones included.");
    v.field("expected", self.expected, Rules{.access = Access::internal}, "");
    v.field("detection", self.detection, Rules{.access = Access::internal}, "");
    v.field("detectionAttempts", self.detection_attempts, Rules{.access = Access::internal}, "");
    v.field("isLaunched", self.is_launched, Rules{.access = Access::internal}, "");
    v.field("canceledBy", self.canceled_by, Rules{.access = Access::internal}, "");
    v.field("result", self.result, Rules{.bytes_max = limits::record_json_bytes_max, .schema = "RunResult"},
            "The client's keys, overridden by the computed ones.");
  }
};

/// The gate decision that a client stored in `metadata.gate`: `green`, `red` or `open`; empty: no decision.
[[nodiscard]] std::string gate_of(const Run& run);

/// The personality that a config's test is played with: the config's own, else the run's. A null config: no
/// config names the test.
[[nodiscard]] std::optional<Ref<RecordKind::personality>> personality_of(const Run& run,
                                                                         const TestConfig* config);
/// The number of results of one test for each personality.
using PersonalityCounts = std::map<std::optional<Ref<RecordKind::personality>>, std::int64_t>;
/// The personality for the next case of the test: from the first config with fewer results in `present` than
/// cases; if every config has enough, from the last one.
[[nodiscard]] std::optional<Ref<RecordKind::personality>> personality_of_case(const Run& run, const Id& test,
                                                                              PersonalityCounts present = {});
/// Whether several configs name the test, so that its cases differ.
[[nodiscard]] bool is_planned_in_parts(const Run& run, const Id& test);

/// One expected case: a test and the number of its results (D44).
struct ExpectedCase {
  Id test;
  std::int64_t count = 1;
  bool operator==(const ExpectedCase&) const = default;
};

}  // namespace parley
