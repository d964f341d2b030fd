#pragma once
/// The commands to runs and results, and their replies: the interface between http/ and the machines. Plain
/// values without CAF; they travel from an HTTP thread to the owning actor and back.

#include <functional>
#include <memory>
#include <variant>

#include "model/expected.hpp"
#include "model/records/agent.hpp"
#include "model/records/entry.hpp"
#include "model/records/run.hpp"
#include "model/records/test_result.hpp"
#include "model/values/warning.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "tester/actions.hpp"

namespace parley::actors {

/// Receives the answer exactly once, on a thread of the actor pool. Must not block.
template <class T>
using Completion = std::function<void(Expected<T>)>;

// ---- test results -------------------------------------------------------------------------------------------------

/// POST /test-results/{id}/conversation. The body has already been validated on its own.
struct PostEntry {
  EntryType type = EntryType::message;
  Role role = Role::chatbot;
  std::optional<std::string> content;
  std::optional<std::string> name;
  json::Text metadata;
  /// Set on an event whose metadata has `actions` (possibly an empty list).
  std::optional<std::vector<tester::ActionDefinition>> actions;
  /// At most one of the two is set; the id as the client sent it.
  std::optional<std::string> after;
  std::optional<std::string> before;
  bool ends = false;  ///< the chatbot ended the conversation with this entry (D101)
};

/// PATCH /test-results/{id}/conversation/{message_id}. `patch` is an object without the key `actions`.
struct PatchEntry {
  Id entry;
  json::Text patch;
  /// The updatedAt that the result must still have (If-Match with its ETag, D12).
  std::optional<Time> if_updated_at = std::nullopt;
};

struct NextMessage {};
struct Finish {};

/// A failure that a client reports (D101).
struct ReportedFailure {
  FaultSource source = FaultSource::client;
  std::string code = "client_error";
  std::string detail = "the client reported that its side broke";
};

/// PATCH /test-results/{id}: absent fields stay unchanged.
struct PatchResult {
  std::optional<ResultStatus> status;
  std::optional<CompletionMode> completion_mode;
  std::optional<json::Text> metadata;
  std::optional<std::vector<json::Text>> external_links;
  /// The updatedAt that the result must still have (If-Match, D12). Every change advances it (D7).
  std::optional<Time> if_updated_at;
  std::optional<ReportedFailure> error = std::nullopt;  ///< sent with the status failed
};

struct Retry {};

/// POST /test-results/{id}/review, as decided by reviewing.hpp.
struct SaveReview {
  std::int64_t rescored = 0;                      ///< `rescored` of the head that the decision is based on
  ResultStatus status = ResultStatus::completed;  ///< status of that head
  json::Text review;                              ///< as responses show it
  std::optional<FaultSource> fault;
  bool is_void = false;
  bool operator==(const SaveReview&) const = default;
};

/// POST /test-results/{id}/rescore, as decided by rescoring.hpp, so that no actor spends its thread on it.
struct Rescore {
  std::int64_t rescored = 0;  ///< `rescored` of the head that the decision is based on
  json::Text assertion_results{"[]"};
  std::int64_t score = 0;
  bool overall_passed = true;
  bool is_decided = false;
  std::optional<FaultSource> fault = {};    ///< why the verdict is undecided
  std::optional<bool> has_missed = {};      ///< as in ResultHead
  std::optional<std::int64_t> warned = {};  ///< as in ResultHead
  std::optional<std::string> group = {};    ///< as in ResultHead
  std::optional<SaveReview> review = {};    ///< for a reviewed result: its review under the new verdict
};

/// What the run's hallucination detection found in this result (D24).
struct SaveClaims {
  std::int64_t detection = 0;
  json::Text claims{"[]"};  ///< as responses show them
};

/// Sent by the scoring actor: attempt `attempt` produced no verdict, because the process or the result's
/// actor ended or scoring failed. The claim gets the next attempt number, durably, before the result is
/// scored again (I7, I20).
struct RaiseAttempt {
  std::int64_t attempt = 0;
  bool has_failed =
      false;  ///< the attempt failed: it counts, and after the third failure the result is set aside (I10)
};

/// Sent by the workflow actor: the result's GitHub workflow is about to be requested, or was not requested
/// after all (D72).
struct MarkWorkflow {
  bool is_requested = true;
};

using ResultCommand = std::variant<PostEntry, PatchEntry, NextMessage, Finish, PatchResult, Retry, Rescore,
                                   RaiseAttempt, MarkWorkflow, SaveReview, SaveClaims>;

/// The answer to next-message. An answer with neither message nor action ends the conversation.
struct TesterReply {
  std::optional<std::string> message;
  struct Action {
    std::string name;
    json::Text arguments;
    bool operator==(const Action&) const = default;
  };
  std::optional<Action> action;
  bool end_chat = false;
  /// False while the tester is still working: http/ asks again when the result has changed, or answers that
  /// the turn is not ready (D47).
  bool ready = true;
  std::optional<Id> message_id;
  bool operator==(const TesterReply&) const = default;
};

/// The result right after the command. It can be rendered from any later snapshot: entries whose creation
/// ordinal is below `entries` belong to it (I35).
struct ResultReply {
  ResultHead head;
  std::uint32_t entries = 0;
  /// The client's metadata and links at that moment; absent: as stored.
  std::optional<ResultExtras> extras;
  /// The entry that was posted or patched.
  std::optional<Entry> entry;
  /// Set for NextMessage.
  std::optional<TesterReply> turn;
};

/// The ids that are stored for the reply under an Idempotency-Key (D9): the result, then the created entry or
/// the answered turn. Empty while a turn is still awaited: requesting it again has no second effect.
[[nodiscard]] std::vector<Id> affected_ids(const ResultReply& reply);

[[nodiscard]] inline Driving driving_as_of(const ResultHead& head) {
  return {head.is_server_driven, head.has_human_tester, head.awaits_workflow};
}
inline void set_driving(ResultHead& head, const Driving& driving) {
  head.is_server_driven = driving.by_service;
  head.has_human_tester = driving.by_person;
  head.awaits_workflow = driving.by_workflow;
}

/// POST /test-results/: the generated case and everything that was checked against a snapshot (D42).
struct CreateResult {
  std::optional<Ref<RecordKind::test>> test;
  std::optional<Ref<RecordKind::run>> run;
  Ref<RecordKind::agent> agent;
  std::optional<Ref<RecordKind::personality>> personality;
  std::optional<Ref<RecordKind::external_log>> source_conversation_log;
  bool is_manual = false;
  Driving driving;
  CompletionMode completion_mode = CompletionMode::automatic;
  std::optional<Time> test_created_at;
  TestCase test_case;
  ResultExtras extras;
  WarningSet warned;                                ///< warnings of the case alone (D97)
  std::optional<std::int64_t> seed = std::nullopt;  ///< the run's seed
  std::int64_t repetition = 0;                      ///< number of earlier results of this test in the run
  bool uses_next_case =
      false;  ///< several testConfigs name this test: the run chooses the next case and its personality
  /// The request's traceparent. The launching commands below also carry it.
  std::optional<std::string> trace = std::nullopt;
};

// ---- runs ---------------------------------------------------------------------------------------------------------

/// POST /runs/. The record has no id and no times yet; its links have been checked.
struct CreateRun {
  Run run;
  std::optional<std::string> trace = std::nullopt;
};

/// PATCH /runs/{id}: absent fields stay unchanged.
struct PatchRun {
  std::optional<RunStatus> status;
  std::optional<json::Text> result;
  std::optional<bool> is_archived;
  std::optional<Ref<RecordKind::scenario>> scenario;
  std::optional<std::string> name;
  std::optional<json::Text> metadata;
  std::optional<std::int64_t> seed;
  /// The updatedAt that the run must still have (If-Match, D12).
  std::optional<Time> if_updated_at;
  std::optional<std::string> trace = std::nullopt;
};

struct CancelRun {};

/// POST /runs/{id}/detect-hallucinations. Has no effect while a detection is in progress.
struct DetectHallucinations {};
/// Progress of a detection. Dropped unless this is the run's latest detection.
struct MoveDetection {
  std::int64_t detection = 0;
  DetectionStatus to = DetectionStatus::running;
};

/// Rereads the results and gives the run the status that follows from them (D40, D44), even if their messages
/// are still in transit.
struct FollowResults {};

using RunCommand = std::variant<CreateRun, PatchRun, CancelRun, CreateResult, DetectHallucinations,
                                MoveDetection, FollowResults>;

/// The run right after the command; for CreateResult also the new result.
struct RunReply {
  Run run;
  std::optional<ResultReply> result;
};
/// The id of the new result if one was created, else the run's id.
[[nodiscard]] std::vector<Id> affected_ids(const RunReply& reply);

// ---- external logs ------------------------------------------------------------------------------------------------

/// A recorded conversation and the assertion results that code could decide; the criteria are still open.
struct LogToJudge {
  std::vector<Entry> entries;
  std::vector<Assertion> assertions;
  std::vector<AssertionResult> results;  ///< in the order of the assertions
};

/// The verdict on a recorded conversation.
struct LogVerdict {
  json::Text assertion_results{"[]"};  ///< as responses show them
  std::int64_t score = 0;
  bool overall_passed = true;
  bool is_decided = false;
};

// ---- answers without a record -------------------------------------------------------------------------------------

/// The call that a probe made, safe to show: without secrets, bodies truncated to 16 KiB.
struct ProbeSent {
  std::string method;
  std::string url;
  std::vector<std::pair<std::string, std::string>> headers;
  std::string body;
};
/// The answer to that call, safe to show in the same way.
struct ProbeReceived {
  int status = 0;
  std::string content_type;
  std::string body;
};

/// The outcome of a probe of an agent (D74, D100).
struct AgentProbe {
  std::int64_t duration_ms = 0;
  std::optional<int> status;  ///< status of the HTTP answer, if one arrived
  std::variant<outbound::AgentReply, outbound::AgentFault> said;  ///< as parsed
  std::optional<ProbeSent> sent;                                  ///< if a call was made
  std::optional<ProbeReceived> received;                          ///< if an answer arrived
  /// If no message was found in the answer: the JSON of a `config.reply` that would probably find it.
  std::optional<std::string> proposal;
};

/// What the rules left undecided: the conversation and their findings.
struct OpenReview;

/// A review as decided by the rules.
struct Reviewing {
  SaveReview command;
  std::shared_ptr<OpenReview> open;  ///< null if the rules decided
  std::size_t open_bytes = 0;        ///< its size: the conversation and the question about it
};

}  // namespace parley::actors
