#pragma once
/// Bodies of the operations on results that are no record of their own. Plain values, described like records.

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

/// The fields that answers show of a result (write_result), whether or not a body may set them.
inline constexpr std::array<std::string_view, 28> result_fields{"id",
                                                                "createdAt",
                                                                "updatedAt",
                                                                "test",
                                                                "run",
                                                                "agent",
                                                                "personality",
                                                                "status",
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
    v.field("test", self.test, Rules{}, "The test; without one it is a preview of testInstruction.");
    v.field("run", self.run, Rules{}, "The run it belongs to; without one it stands alone.");
    v.field("agent", self.agent, Rules{.required = true},
            "The agent under test; the run's where there is a run.");
    v.field("isManual", self.is_manual, Rules{}, "A person plays the tester and posts its turns as entries.");
    v.field("testInstruction", self.test_instruction, Rules{.bytes_max = limits::instruction_bytes_max},
            "Used instead of the test's instruction.");
    v.field(
        "assertionResults", self.assertion_results, Rules{.items_max = limits::override_assertions_max},
        "Assertions used instead of the test's, on a variant instead of its parent's; at most 15 in all.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max},
            "Anything; an object.");
    v.field("personality", self.personality, Rules{}, "Personality of the simulated user.");
    v.field("externalLinks", self.external_links,
            Rules{.bytes_max = limits::external_link_bytes_max, .items_max = limits::external_links_max},
            "Links to show, each an object with url and name.");
    v.field("completionMode", self.completion_mode, Rules{}, "auto or manual.");
    v.field("sourceConversationLog", self.source_conversation_log, Rules{},
            "The external log that is played again; without test and testInstruction its user turns are the "
            "script.");
  }
};

/// PATCH /test-results/{id}.
struct ResultPatchBody {
  std::optional<std::vector<json::Text>> external_links;
  std::optional<json::Text> metadata;
  std::optional<ResultStatus> status;
  std::optional<CompletionMode> completion_mode;

  static constexpr auto& shown_fields = result_fields;
  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("externalLinks", self.external_links,
            Rules{.bytes_max = limits::external_link_bytes_max, .items_max = limits::external_links_max},
            "Replaces the links.");
    v.field("metadata", self.metadata, Rules{.bytes_max = limits::metadata_bytes_max},
            "Replaces the metadata but for the keys that the service wrote.");
    v.field("status", self.status, Rules{},
            "running, failed or canceled, as far as the result has not ended.");
    v.field("completionMode", self.completion_mode, Rules{},
            "auto or manual; manual before the conversation ends.");
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
            "Laid over those of the last verdict: one of the same id, else name, is replaced; the rest are "
            "added. Without "
            "any, the test's assertions as they are now.");
    v.field(
        "preview", self.preview, Rules{},
        "true: only tell what would change, and keep nothing, an Idempotency-Key neither; false: save it.");
  }
};

/// POST /external-conversation-logs/{id}/score.
struct ScoreLogBody {
  std::vector<Assertion> assertions;
  std::optional<Ref<RecordKind::test>> test;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("assertions", self.assertions, Rules{.items_max = limits::assertions_max},
            "What to decide on the conversation.");
    v.field("test", self.test, Rules{}, "Without assertions: the test whose assertions are decided.");
  }
};

/// POST /test-results/{id}/review.
struct ReviewBody {
  bool model = true;

  static constexpr bool described = true;
  template <class Self, class V>
  static void describe(Self& self, V& v) {
    v.field("model", self.model, Rules{},
            "Whether the judge model, if the server has one, is asked where the rules find no fault.");
  }
};

}  // namespace parley::http
