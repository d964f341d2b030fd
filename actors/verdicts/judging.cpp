#include "actors/verdicts/judging.hpp"

#include "actors/models/model_call.hpp"
#include "actors/result/result_loading.hpp"
#include "outbound/redaction/redaction.hpp"
#include "scoring/failure_signature.hpp"
#include "scoring/review.hpp"
#include "scoring/statistics.hpp"
#include "scoring/verdict.hpp"
#include "tester/warnings.hpp"

namespace parley::actors {
namespace {

/// What the answer was, for a person who asks why a verdict is void.
std::string answer_shown(const ChatAnswer& answer, const outbound::ChatEndpoint& judge) {
  const std::string text = scoring::beginning_of(answer);
  if (text.empty()) return {};
  return " The answer was: " + outbound::without_secrets(text, outbound::secrets_of(judge));
}

}  // namespace

Expected<ScoringInput> load_scoring(const store::Snapshot& snapshot, const Id& result) {
  ScoringInput input;
  TRY(head, snapshot.find<ResultHead>(result));
  if (!head) return unknown_record("test result", to_text(result));
  input.end_reason = head->end_reason;
  input.head = std::move(*head);
  TRY(test_case, snapshot.part<TestCase>(input.head));
  if (test_case) input.test_case = std::move(*test_case);
  TRY(entries, load_entries(snapshot, input.head));
  input.entries = std::move(entries);
  TRY(lines, load_used_lines(snapshot, input.head));
  input.used_lines = std::move(lines);
  return input;
}

bool waits_for(const ResultHead& head, const ScoreJob& job) {
  return head.status == ResultStatus::running && head.is_claimed() && head.attempt == job.attempt;
}

std::size_t bytes_of(std::span<const Entry> entries) {
  std::size_t bytes = 0;
  for (const Entry& entry : entries)
    bytes += entry.metadata.text.size() + (entry.content ? entry.content->size() : 0);
  return bytes;
}

namespace {

/// The warnings for the case as it was judged, and for the conversation (D97).
WarningSet warnings_of(const ScoringInput& input, std::span<const AssertionResult> results, bool is_decided) {
  TestCase judged;
  judged.instruction = input.test_case.instruction;
  judged.history = input.test_case.history;
  for (const AssertionResult& result : results) judged.assertions.push_back(result.assertion);
  WarningSet found;
  found.add(tester::warnings_of_result({input.head, judged, input.entries, input.used_lines, is_decided}));
  return found;
}

}  // namespace

Scored verdict_of(const ScoringInput& input, std::span<const AssertionResult> results, std::int64_t attempt) {
  Scored scored;
  scored.attempt = attempt;
  scored.verdict.assertion_results = shown_results(results);
  const scoring::Score score = scoring::score_of(results);
  scored.score = score.score;
  scored.overall_passed = score.overall_passed;
  scored.is_decided = score.decided;
  if (score.missed) scored.has_missed = true;
  scored.warned = warnings_of(input, results, score.decided).bits;
  scored.group = scoring::group_of(results, score);
  scored.fault = scoring::undecided_fault(results, score.decided);
  return scored;
}

std::optional<std::vector<AssertionResult>> decided(const ScoringInput& input,
                                                    const scoring::StopFlag& stop) {
  scoring::CheckedConfigs configs;
  return scoring::judge({input.entries, input.end_reason}, input.test_case.assertions, configs, stop);
}

Judging::Judging(const ScoreJob& job, ScoringInput input, std::vector<AssertionResult> results)
    : job_(job), input_(std::move(input)), results_(std::move(results)), progress_(results_.size()) {
  bytes_ = bytes_of(input_.entries);
}

bool Judging::needs_model() const {
  return std::any_of(results_.begin(), results_.end(), scoring::needs_model);
}

std::vector<std::size_t> Judging::begin(const outbound::ChatEndpoint& judge) {
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < results_.size(); ++i) {
    if (!scoring::needs_model(results_[i])) continue;
    progress_[i].use.model = judge.model;
    open.push_back(i);
  }
  waiting_ = open.size();
  return open;
}

std::variant<outbound::HttpRequest, CallFault> Judging::question(std::size_t assertion,
                                                                 const outbound::ChatEndpoint& judge,
                                                                 const std::string& fence) {
  auto asked = scoring::criteria_question(subject(), input_.test_case.assertions[assertion], fence);
  if (auto* fault = std::get_if<CallFault>(&asked)) return std::move(*fault);
  auto& question = std::get<scoring::CriteriaQuestion>(asked);
  question.request.seed = input_.head.seed;
  progress_[assertion].saw_cut_texts = question.shows_cut_texts;
  return outbound::chat_request(judge, question.request);
}

Judging::Receipt Judging::take(const JudgeReturned& returned, const outbound::ChatEndpoint& judge) {
  const std::size_t assertion = returned.assertion;
  void_code_.clear();
  const auto chat = chat_of(returned.outcome, judge);
  scoring::Judged judged = CallFault{};
  if (const auto* nothing = std::get_if<VoidAnswer>(&chat)) {
    judged = nothing->fault;
    if (!nothing->again) {
      settle(assertion, judged);
      return Receipt::error;
    }
  } else {
    progress_[assertion].use.add(std::get<ChatAnswer>(chat), returned.is_repeated);
    judged = scoring::read_judgement(subject(), std::get<ChatAnswer>(chat));
  }
  auto* fault = std::get_if<CallFault>(&judged);
  const bool is_void = fault != nullptr;
  if (is_void) {
    void_code_ = fault->code;
    if (const auto* said = std::get_if<ChatAnswer>(&chat)) fault->detail += answer_shown(*said, judge);
  }
  if (is_void && ++progress_[assertion].voids < void_answers_max) return Receipt::nothing;
  settle(assertion, judged);
  return is_void ? Receipt::error : Receipt::verdict;
}

Scored Judging::scored() const {
  Scored scored = verdict_of(input_, results_, job_.attempt);
  scored.sums = scoring::sums_of(input_.entries);
  ModelUse use;
  for (const Progress& one : progress_) use.add(one.use);
  if (use.throttled > 0) {
    WarningSet warned{scored.warned.value_or(0)};
    warned.add(WarningCode::rate_limited);
    scored.warned = warned.bits;
  }
  if (use.is_any()) scored.judge_use = std::move(use);
  return scored;
}

void Judging::settle(std::size_t assertion, const scoring::Judged& judged) {
  const Progress& progress = progress_[assertion];
  results_[assertion] = scoring::judged_result(input_.test_case.assertions[assertion], judged, progress.use,
                                               progress.saw_cut_texts);
  --waiting_;
}

}  // namespace parley::actors
