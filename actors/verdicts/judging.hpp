#pragma once
/// One result that is being judged: what code decided, and the questions that a judge model must still
/// answer (D30, D51a). Plain state of the scoring actor, which makes the calls; used on its thread only.

#include "actors/base/handles.hpp"
#include "outbound/agents/openai.hpp"
#include "scoring/prompts/criteria_question.hpp"

namespace parley::actors {

/// The data of one result that scoring needs, read from a snapshot.
struct ScoringInput {
  ResultHead head;
  TestCase test_case;
  std::vector<Entry> entries;
  std::optional<EndReason> end_reason;
  std::vector<std::uint32_t> used_lines;  ///< script lines that the tester's turns used
  std::uint64_t epoch = 0;                ///< epoch of Services::outside, read before the result
};
/// Whether the claim is the job's: a result that was canceled or scored in the meantime needs no verdict.
[[nodiscard]] bool waits_for(const ResultHead& head, const ScoreJob& job);
[[nodiscard]] Expected<ScoringInput> load_scoring(const store::Snapshot& snapshot, const Id& result);
/// Bytes of content and metadata of a conversation in memory.
[[nodiscard]] std::size_t bytes_of(std::span<const Entry> entries);
/// The verdict once all assertions are decided, without the sums of the measures. Pure.
[[nodiscard]] Scored verdict_of(const ScoringInput& input, std::span<const AssertionResult> results,
                                std::int64_t attempt);

/// The assertion results that code can decide; nullopt if the process was asked to stop. Costs CPU.
[[nodiscard]] std::optional<std::vector<AssertionResult>> decided(const ScoringInput& input,
                                                                  const scoring::StopFlag& stop);

class Judging {
 public:
  /// Needs: code's decisions on the input's assertions.
  Judging(const ScoreJob& job, ScoringInput input, std::vector<AssertionResult> results);

  /// The assertions that need a model, in their order. Call once.
  [[nodiscard]] std::vector<std::size_t> begin(const outbound::ChatEndpoint& judge);
  /// The question about one assertion, or why it cannot be asked.
  [[nodiscard]] std::variant<outbound::HttpRequest, CallFault> question(std::size_t assertion,
                                                                        const outbound::ChatEndpoint& judge,
                                                                        const std::string& fence);
  /// No answer about this assertion has been void.
  [[nodiscard]] bool is_first(std::size_t assertion) const { return progress_[assertion].voids == 0; }

  enum class Receipt : std::uint8_t {
    verdict,  ///< decides the assertion
    error,    ///< no verdict will come
    nothing,  ///< the answer is void; ask again
  };
  /// Why the last answer passed to take() was void; empty if it was not.
  [[nodiscard]] const std::string& void_code() const { return void_code_; }
  [[nodiscard]] Receipt take(const JudgeReturned& returned, const outbound::ChatEndpoint& judge);
  /// The assertion cannot be asked about: it ends in error.
  void give_up(std::size_t assertion, const CallFault& fault) { settle(assertion, fault); }
  [[nodiscard]] bool is_done() const { return waiting_ == 0; }
  [[nodiscard]] bool needs_model() const;

  [[nodiscard]] const ScoreJob& job() const { return job_; }
  [[nodiscard]] const ResultHead& head() const { return input_.head; }
  [[nodiscard]] std::uint64_t epoch() const { return input_.epoch; }
  /// Bytes of the conversation in memory.
  [[nodiscard]] std::size_t bytes() const { return bytes_; }
  /// The verdict. Needs: is_done.
  [[nodiscard]] Scored scored() const;

 private:
  struct Progress {
    int voids = 0;
    bool saw_cut_texts = false;
    ModelUse use;
  };
  void settle(std::size_t assertion, const scoring::Judged& judged);
  [[nodiscard]] scoring::Subject subject() const { return {input_.entries, input_.end_reason}; }

  ScoreJob job_;
  ScoringInput input_;
  std::vector<AssertionResult> results_;
  std::vector<Progress> progress_;
  std::string void_code_;
  std::size_t waiting_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace parley::actors
