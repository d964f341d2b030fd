#pragma once
/// Request bodies for results that are not records themselves. Plain values, described like records.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"
#include "model/limits.hpp"
#include "model/records/assertion.hpp"
#include "model/records/test_result.hpp"

namespace parley::http {

/// The fields of a result in answers (write_result), whether a body may set them or not.
inline constexpr std::array<std::string_view, 30> result_fields{"id",
                                                                "createdAt",
                                                                "updatedAt",
                                                                "test",
                                                                "run",
                                                                "agent",
                                                                "personality",
                                                                "status",
                                                                "state",
                                                                "warnings",
                                                                "isEnded",
                                                                "endReason",
                                                                "score",
                                                                "completionMode",
                                                                "overallPassed",
                                                                "isManual",
                                                                "isArchived",
                                                                "retiredBy",
                                                                "testCreatedAt",
                                                                "testInstruction",
                                                                "conversation",
                                                                "averages",
                                                                "usage",
                                                                "assertionResults",
                                                                "metadata",
                                                                "claims",
                                                                "review",
                                                                "externalLinks",
                                                                "scoringEnqueuedAt",
                                                                "sourceConversationLog"};

/// POST /test-results/.
struct ResultBody {
  std::optional<Ref<RecordKind::test>> test;
  std::optional<Ref<RecordKind::run>> run;
  Ref<RecordKind::agent> agent;
  bool is_manual = false;
  std::optional<std::string> test_instruction;
  std::vector<Assertion> assertion_results;
  json::Text metadata;
  std::optional<Ref<RecordKind::personality>> personality;
  std::vector<json::Text> external_links;
  CompletionMode completion_mode = CompletionMode::automatic;
  std::optional<Ref<RecordKind::external_log>> source_conversation_log;

  static constexpr auto& shown_fields = result_fields;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("test", self.test, Rules{}, "The test; without one the result previews testInstruction.");
    v.field("run", self.run, Rules{}, "The run that the result belongs to; optional.");
    v.field("agent", self.agent, Rules{.required = true},
            "The agent under test; must be the run's agent if there is a run.");
    v.field("isManual", self.is_manual, Rules{}, "A person plays the tester and posts the turns as entries.");
    v.field("testInstruction", self.test_instruction, Rules{.bytes_max = limits::instruction_bytes_max},
            "Used instead of the test's instruction.");
    v.field("assertionResults", self.assertion_results, Rules{.items_max = limits::override_assertions_max},
            "Assertions used instead of the test's (for a variant: instead of its parent's); at most 15 in "
            "total.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max}, "Any object.");
    v.field("personality", self.personality, Rules{}, "Personality of the simulated user.");
    v.field("externalLinks", self.external_links,
            Rules{.bytes_max = limits::external_link_bytes_max, .items_max = limits::external_links_max},
            "Links to show, each an object with url and name.");
    v.field("completionMode", self.completion_mode, Rules{}, "auto or manual.");
    v.field("sourceConversationLog", self.source_conversation_log, Rules{},
            "The external log to replay; without test and testInstruction its user turns are the "
            "script.");
  }
};

/// The fault that a runner reports together with the status failed (D101).
struct ReportedError {
  FaultSource source = FaultSource::client;
  std::string code = "client_error";
  std::string detail;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("source", self.source, Rules{.required = true}, "Whose fault: agent, client or infrastructure.");
    v.field("code", self.code, Rules{.chars_max = 64, .never_empty = true}, "A short word for programs.");
    v.field("detail", self.detail, Rules{.bytes_max = limits::external_link_bytes_max},
            "What happened, for people.");
  }
};

/// PATCH /test-results/{id}.
struct ResultPatchBody {
  std::optional<std::vector<json::Text>> external_links;
  std::optional<json::Text> metadata;
  std::optional<ResultStatus> status;
  std::optional<CompletionMode> completion_mode;
  std::optional<ReportedError> error;

  static constexpr auto& shown_fields = result_fields;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("externalLinks", self.external_links,
            Rules{.bytes_max = limits::external_link_bytes_max, .items_max = limits::external_links_max},
            "Replaces the links.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max},
            "Replaces the metadata except the keys that the server wrote.");
    v.field("status", self.status, Rules{}, "running, failed or canceled; only if the result has not ended.");
    v.field("completionMode", self.completion_mode, Rules{},
            "auto or manual; manual only before the conversation ends.");
    v.field("error", self.error, Rules{}, "With the status failed: what broke, for metadata.error.");
  }
};

/// POST /test-results/{id}/rescore and /runs/{id}/rescore.
struct RescoreBody {
  std::vector<Assertion> assertions;
  bool preview = true;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("assertions", self.assertions, Rules{.items_max = limits::assertions_max},
            "Merged into those of the last verdict: one with the same id, else name, is replaced; others are "
            "added. Without "
            "any, the test's current assertions.");
    v.field("preview", self.preview, Rules{},
            "true: only report what would change and store nothing, not even an Idempotency-Key; false: save "
            "it.");
  }
};

/// POST /external-conversation-logs/{id}/score.
struct ScoreLogBody {
  std::vector<Assertion> assertions;
  std::optional<Ref<RecordKind::test>> test;
  bool judge = false;
  bool save = false;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("assertions", self.assertions, Rules{.items_max = limits::assertions_max},
            "The assertions to evaluate on the conversation.");
    v.field("test", self.test, Rules{}, "Without assertions: the test whose assertions are evaluated.");
    v.field("judge", self.judge, Rules{}, "Whether to ask the judge model about criteria.");
    v.field("save", self.save, Rules{}, "Whether to store the verdicts on the log.");
  }
};

/// POST /test-results/{id}/review.
struct ReviewBody {
  bool model = true;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("model", self.model, Rules{},
            "Whether to ask the judge model, if the server has one, when the rules find no fault.");
  }
};

}  // namespace parley::http
