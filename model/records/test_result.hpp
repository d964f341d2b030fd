#pragma once
/// Test results as they are stored, split by how often the parts change. The head is small and changes with
/// the state; the case never changes; extras belong to the client; the verdict is written once. Entries are
/// stored separately.

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/assertion.hpp"
#include "model/records/entry.hpp"
#include "model/records/measure_sums.hpp"
#include "model/values/end_reason.hpp"
#include "model/values/model_use.hpp"
#include "model/values/warning.hpp"

namespace parley {

enum class ResultStatus : std::uint8_t { pending, running, completed, failed, canceled };
template <>
struct Words<ResultStatus> {
  static constexpr std::array<std::string_view, 5> all{"pending", "running", "completed", "failed",
                                                       "canceled"};
};

[[nodiscard]] constexpr bool is_terminal(ResultStatus status) {
  return status != ResultStatus::pending && status != ResultStatus::running;
}

enum class CompletionMode : std::uint8_t { automatic, manual };
template <>
struct Words<CompletionMode> {
  static constexpr std::array<std::string_view, 2> all{"auto", "manual"};
};

/// Counts process ends during work on one conversation (driving or scoring), and scoring attempts that failed
/// within a process (I10): how many, since which number of recorded entries, and the last process that ended
/// (store::WorkMarks::process), so that no end is counted twice.
struct WorkCrashes {
  std::int64_t count = 0;
  std::int64_t entries = 0;
  std::int64_t process = 0;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("n", self.count, Rules{}, "");
    v.field("entries", self.entries, Rules{}, "");
    v.field("process", self.process, Rules{}, "");
  }
  bool operator==(const WorkCrashes&) const = default;
};

/// Who plays the tester (D61), as reported in `metadata.tester` of the result.
inline constexpr std::string_view played_by_script = "script";
inline constexpr std::string_view played_by_model = "model";

struct ResultHead {
  Stamp stamp;
  std::optional<Ref<RecordKind::test>> test;
  std::optional<Ref<RecordKind::run>> run;
  Ref<RecordKind::agent> agent;
  std::optional<Ref<RecordKind::personality>> personality;
  std::optional<Ref<RecordKind::external_log>> source_conversation_log;
  ResultStatus status = ResultStatus::pending;
  std::optional<EndReason> end_reason;  ///< set exactly when the conversation has ended (I18)
  CompletionMode completion_mode = CompletionMode::automatic;
  bool overall_passed = true;
  bool is_decided = false;  ///< D34; meaningful when completed
  bool is_manual = false;
  bool is_server_driven = false;
  bool has_human_tester = false;  ///< a person plays the tester and the service asks the agent (D52)
  bool awaits_workflow = false;   ///< waits for the workflow of a GITHUB agent (D72)
  bool is_archived = false;
  std::optional<Time> scoring_enqueued_at;
  std::int64_t score = 0;
  /// When the workflow was requested; saved before the request is sent (D72).
  std::optional<Time> workflow_asked_at;
  std::optional<Time> test_created_at;
  std::optional<std::string> retired_by;   ///< id of the clone that replaced it
  std::optional<std::string> previous;     ///< metadata.previous_test_result_id
  std::optional<std::string> lineage;      ///< id of the first result of the chain; absent: its own
  std::optional<std::string> tester;       ///< metadata.tester: script or model (D61)
  std::optional<json::Text> error;         ///< metadata.error {source, code, detail} (D47a)
  std::optional<std::int64_t> attempt_by;  ///< written by older versions; no longer used
  std::int64_t attempt = 0;                ///< scoring attempts; distinguishes late verdicts (I20)
  std::optional<MeasureSums> sums;         ///< set with the verdict
  std::int64_t rescored = 0;               ///< how many times it was rescored; distinguishes verdicts
  std::optional<FaultSource> fault;        ///< why there is no verdict, or what a review found (D24)
  std::optional<bool> is_void;             ///< a review found that it is not a valid trial: it counts nowhere
  std::optional<bool> has_review;          ///< a StoredReview exists
  std::optional<bool> has_claims;          ///< a StoredClaims exists
  std::optional<bool> has_extras;          ///< a ResultExtras exists
  std::optional<bool> has_run;             ///< it ran at some time, whatever its status is now
  std::optional<bool> has_missed;          ///< an assertion failed, of any severity; else absent
  std::optional<ResultStatus> retired_from;  ///< its status when a retry replaced it
  std::optional<std::string> trace;  ///< traceparent of the request that created it, for calls to its agent
  std::optional<std::int64_t>
      repetition;                      ///< number among the results of its test in its run; absent: the first
  std::optional<ModelUse> tester_use;  ///< use of the model that plays the tester
  std::optional<ModelUse> judge_use;   ///< use of the model that judged; set with the verdict
  std::optional<WorkCrashes> crashes;  ///< written only by recovery and the scoring actor
  /// Count when the head was last written; if the store has fewer, some were lost.
  std::optional<std::int64_t> entries;
  std::optional<std::int64_t> seed;       ///< the run's seed, for the models
  std::optional<std::int64_t> throttled;  ///< agent answers that asked for fewer calls
  std::optional<std::int64_t> warned;     ///< WarningSet; absent: written before warnings were kept
  std::optional<std::string> group;  ///< signature of the failure that its verdict shows; empty: no failure

  [[nodiscard]] bool is_ended() const { return end_reason.has_value(); }
  [[nodiscard]] bool is_claimed() const { return scoring_enqueued_at.has_value(); }
  /// Whether the service has work to do for it, now or at its next start: a conversation that it drives or
  /// answers, a workflow to start, a verdict. Client-driven results wait only for their client.
  [[nodiscard]] bool is_owed() const {
    return !is_terminal(status) &&
           (is_claimed() || is_server_driven || awaits_workflow || has_human_tester || crashes);
  }
  /// Those of its warnings that would also apply to another play of the same case.
  [[nodiscard]] std::optional<std::int64_t> warned_of_case() const;
  /// Whether a ResultVerdict exists. The sums alone prove nothing: parley 1 stored no verdict.
  [[nodiscard]] bool has_verdict() const { return status == ResultStatus::completed || rescored > 0 || sums; }
  /// Completed with a verdict that counts (D34), taking reviews into account.
  [[nodiscard]] bool has_outcome() const {
    return status == ResultStatus::completed && is_decided && !is_void.value_or(false);
  }

  static constexpr bool described = true;
  static constexpr RecordKind kind = RecordKind::test_result;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.stamp(self.stamp);
    v.field("test", self.test, Rules{}, "");
    v.field("run", self.run, Rules{}, "");
    v.field("agent", self.agent, Rules{}, "");
    v.field("personality", self.personality, Rules{}, "");
    v.field("log", self.source_conversation_log, Rules{}, "");
    v.field("status", self.status, Rules{}, "");
    v.field("end", self.end_reason, Rules{}, "");
    v.field("mode", self.completion_mode, Rules{}, "");
    v.field("claimed", self.scoring_enqueued_at, Rules{}, "");
    v.field("passed", self.overall_passed, Rules{}, "");
    v.field("score", self.score, Rules{}, "");
    v.field("decided", self.is_decided, Rules{}, "");
    v.field("manual", self.is_manual, Rules{}, "");
    v.field("driven", self.is_server_driven, Rules{}, "");
    v.field("hosted", self.has_human_tester, Rules{}, "");
    v.field("workflow", self.awaits_workflow, Rules{}, "");
    v.field("workflowAt", self.workflow_asked_at, Rules{}, "");
    v.field("archived", self.is_archived, Rules{}, "");
    v.field("testAt", self.test_created_at, Rules{}, "");
    v.field("retiredBy", self.retired_by, Rules{}, "");
    v.field("previous", self.previous, Rules{}, "");
    v.field("lineage", self.lineage, Rules{}, "");
    v.field("tester", self.tester, Rules{}, "");
    v.field("error", self.error, Rules{}, "");
    v.field("attempt", self.attempt, Rules{}, "");
    v.field("attemptBy", self.attempt_by, Rules{}, "");
    v.field("sums", self.sums, Rules{}, "");
    v.field("rescored", self.rescored, Rules{}, "");
    v.field("fault", self.fault, Rules{}, "");
    v.field("void", self.is_void, Rules{}, "");
    v.field("review", self.has_review, Rules{}, "");
    v.field("claims", self.has_claims, Rules{}, "");
    v.field("retiredFrom", self.retired_from, Rules{}, "");
    v.field("trace", self.trace, Rules{}, "");
    v.field("repetition", self.repetition, Rules{}, "");
    v.field("testerUse", self.tester_use, Rules{}, "");
    v.field("judgeUse", self.judge_use, Rules{}, "");
    v.field("throttled", self.throttled, Rules{}, "");
    v.field("crashes", self.crashes, Rules{}, "");
    v.field("entries", self.entries, Rules{}, "");
    v.field("extras", self.has_extras, Rules{}, "");
    v.field("hasRun", self.has_run, Rules{}, "");
    v.field("missed", self.has_missed, Rules{}, "");
    v.field("warned", self.warned, Rules{}, "");
    v.field("seed", self.seed, Rules{}, "");
    v.field("group", self.group, Rules{}, "");
  }
};

inline std::optional<std::int64_t> ResultHead::warned_of_case() const {
  if (!warned) return std::nullopt;
  WarningSet kept;
  for (const WarningCode code :
       {WarningCode::no_assertions, WarningCode::no_blocker, WarningCode::unknown_placeholder,
        WarningCode::directive_lookalike, WarningCode::manual_ignored}) {
    if (WarningSet{*warned}.has(code)) kept.add(code);
  }
  return kept.bits;
}

/// The generated case: what the conversation must do. A retry copies it and never regenerates it (I42).
struct TestCase {
  std::string instruction;
  std::vector<Assertion> assertions;
  std::vector<HistoryMessage> history = {};
  std::optional<json::Text> metadata = std::nullopt;  ///< the test's metadata, for a retry (D108)

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("instruction", self.instruction, Rules{}, "");
    v.field("assertions", self.assertions, Rules{}, "");
    v.field("history", self.history, Rules{}, "");
    v.field("metadata", self.metadata, Rules{}, "");
  }
};

/// Data that a client attaches to a result; the keys that the service writes into metadata are in the head.
struct ResultExtras {
  json::Text metadata;
  std::vector<json::Text> external_links;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("metadata", self.metadata, Rules{}, "");
    v.field("externalLinks", self.external_links, Rules{}, "");
  }
};

/// The head's part of a verdict that another one replaced.
struct ReplacedVerdict {
  Time replaced_at;
  std::int64_t score = 0;
  bool overall_passed = true;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("at", self.replaced_at, Rules{}, "");
    v.field("score", self.score, Rules{}, "");
    v.field("passed", self.overall_passed, Rules{}, "");
  }
  bool operator==(const ReplacedVerdict&) const = default;
};

/// The outcome of scoring; written with the head's score in one change set (I21) and never changed: rescoring
/// a result writes another one.
struct ResultVerdict {
  /// Exactly as responses show it (shown_results), so that a GET can insert it.
  json::Text assertion_results{"[]"};
  /// The verdict that this one replaced.
  std::optional<ReplacedVerdict> before = std::nullopt;
  /// Older verdicts as responses show them, newest first. Written up to schema 5, which stored them all in
  /// one record.
  std::vector<json::Text> replaced = {};

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("assertionResults", self.assertion_results, Rules{.shape = Shape::any}, "");
    v.field("before", self.before, Rules{}, "");
    v.field("replaced", self.replaced, Rules{}, "");
  }
};

/// The outcome of a review (D24).
struct StoredReview {
  json::Text review;  ///< exactly as responses show it

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("review", self.review, Rules{}, "");
  }
};

/// The chatbot's claims (D24), found by detection number `detection` of the run.
struct StoredClaims {
  json::Text claims{"[]"};  ///< exactly as responses show them
  std::int64_t detection = 0;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("claims", self.claims, Rules{.shape = Shape::any}, "");
    v.field("detection", self.detection, Rules{}, "");
  }
};

}  // namespace parley
