#pragma once
/// One result on its way to a verdict: what code decided, and the questions that a judge model has to answer first
/// (D30, D51a). Plain state of the scoring actor, which makes the calls; used on its thread only.

#include "actors/handles.hpp"
#include "outbound/openai.hpp"
#include "scoring/question.hpp"

namespace parley::actors {

/// What scoring needs of one result, read from a snapshot.
struct ScoringInput {
  ResultCase generated;
  std::vector<Entry> entries;
  std::optional<EndReason> end_reason;
};
[[nodiscard]] Result<ScoringInput> load_scoring(const store::Snapshot& snapshot, const Id& result);
/// The verdict where all assertions are decided. Pure.
[[nodiscard]] Scored scored_of(const ScoringInput& input, std::span<const AssertionResult> results,
                               std::int64_t attempt);

/// A question about one assertion.
struct JudgeCall {
  std::size_t assertion = 0;
  outbound::HttpRequest request;
};

class Judging {
 public:
  /// Decides what code can decide.
  Judging(const ScoreJob& job, ScoringInput input);

  /// The first calls, one for each assertion that needs a model. Those that cannot be asked end in error at once. `fence`
  /// gives a new secret for each.
  [[nodiscard]] std::vector<JudgeCall> begin(const outbound::ChatEndpoint& judge,
                                             const std::function<std::string()>& fence);
  /// Takes one answer. A void one is asked once more: the call to make.
  [[nodiscard]] std::optional<JudgeCall> take(const JudgeReturned& returned,
                                              const outbound::ChatEndpoint& judge,
                                              const std::function<std::string()>& fence);
  [[nodiscard]] bool is_done() const { return waiting_ == 0; }
  [[nodiscard]] bool needs_model() const;

  [[nodiscard]] const ScoreJob& job() const { return job_; }
  [[nodiscard]] Scored scored() const { return scored_of(input_, results_, job_.attempt); }

 private:
  struct Progress {
    int voids = 0;
    scoring::JudgeUse use;
  };
  std::optional<JudgeCall> ask(std::size_t assertion, const outbound::ChatEndpoint& judge,
                               const std::string& fence);
  void settle(std::size_t assertion, const scoring::Judged& judged);
  [[nodiscard]] scoring::Subject subject() const { return {input_.entries, input_.end_reason}; }

  ScoreJob job_;
  ScoringInput input_;
  std::vector<AssertionResult> results_;
  std::vector<Progress> progress_;
  std::size_t waiting_ = 0;
};

}  // namespace parley::actors
