#include "actors/verdicts/reviewing.hpp"

#include "actors/base/commit_outcome.hpp"
#include "actors/models/model_call.hpp"
#include "actors/result/result_loading.hpp"
#include "actors/result/turn_requests.hpp"
#include "actors/verdicts/judging.hpp"
#include "model/records/retry_cause.hpp"
#include "scoring/prompts/review_question.hpp"

namespace parley::actors {

struct OpenReview {
  ResultHead head;   ///< the current head
  ResultHead trial;  ///< its state before a retry replaced the result
  ScoringInput input;
  std::vector<AssertionResult> verdict;
  scoring::ResultReview by_rules;
  ModelUse use = {};
  int voids = 0;

  [[nodiscard]] scoring::ReviewedResult result() const {
    return {trial, input.test_case, input.entries, verdict};
  }
};

namespace {

using OpenPtr = std::shared_ptr<OpenReview>;

/// The size limit of the transcript in a judge's question.
constexpr std::size_t question_bytes_max = 1024 * 1024;

SaveReview kept(const ResultHead& head, const scoring::ResultReview& review) {
  return {head.rescored, head.status, scoring::shown_review(review), review.fault_source, !review.valid};
}

SaveReview by_model(const OpenReview& open, scoring::ResultReview review) {
  review.judge = scoring::shown_use(open.use);
  return kept(open.head, review);
}

/// The rules' verdict, with the reason why the model gave none.
SaveReview without_model(const OpenReview& open, const CallFault& fault) {
  scoring::ResultReview review = open.by_rules;
  review.reason += " The judge gave no valid review (" + fault.code + "): " + fault.detail;
  review.judge = scoring::shown_use(open.use);
  return kept(open.head, review);
}

using Reviewed = std::variant<SaveReview, VoidAnswer>;

Reviewed read_answer(const Services& services, OpenReview& open, const outbound::HttpOutcome& outcome) {
  const auto chat = chat_of(outcome, *services.settings.judge_model);
  if (const auto* nothing = std::get_if<VoidAnswer>(&chat)) return *nothing;
  open.use.add(std::get<ChatAnswer>(chat));
  auto read = scoring::read_review(open.result(), std::get<ChatAnswer>(chat));
  if (const auto* fault = std::get_if<CallFault>(&read)) return VoidAnswer{*fault, true};
  return by_model(open, std::get<scoring::ResultReview>(std::move(read)));
}

std::variant<outbound::HttpRequest, CallFault> question(const Services& services, const OpenReview& open) {
  auto asked = scoring::review_question(open.result(), new_fence());
  if (const auto* fault = std::get_if<CallFault>(&asked)) return *fault;
  return outbound::chat_request(*services.settings.judge_model, std::get<ChatRequest>(asked));
}

/// One review in progress.
struct TurnRequests {
  const Services& services;
  RunInBackground background;
  OpenPtr open;
  Completion<SaveReview> done;
};

void ask(const TurnRequests& asking);

void answered(const TurnRequests& asking, const outbound::HttpOutcome& outcome) {
  OpenReview& open = *asking.open;
  auto reviewed =
      guarded<Reviewed>([&]() -> Expected<Reviewed> { return read_answer(asking.services, open, outcome); });
  if (!reviewed) return asking.done(std::move(reviewed).problem());
  const auto* nothing = std::get_if<VoidAnswer>(&*reviewed);
  if (nothing == nullptr) return asking.done(std::get<SaveReview>(std::move(*reviewed)));
  if (nothing->again && ++open.voids < void_answers_max) return ask(asking);
  asking.done(without_model(open, nothing->fault));
}

void ask(const TurnRequests& asking) {
  using Question = std::variant<outbound::HttpRequest, CallFault>;
  auto made =
      guarded<Question>([&]() -> Expected<Question> { return question(asking.services, *asking.open); });
  if (!made) return asking.done(std::move(made).problem());
  if (const auto* fault = std::get_if<CallFault>(&*made))
    return asking.done(without_model(*asking.open, *fault));
  asking.services.outside.start(
      std::get<outbound::HttpRequest>(std::move(*made)), judge_retries,
      [asking](outbound::HttpOutcome outcome, int) {
        const auto* failure = std::get_if<outbound::Failure>(&outcome);
        if (failure != nullptr && failure->kind == outbound::FailureKind::canceled)
          return asking.done(stopping());
        asking.background([asking, outcome = std::move(outcome)] { answered(asking, outcome); });
      });
}

/// True for a stored review that a model gave.
bool is_of_model(const StoredReview& stored) {
  const auto document = json::parse(stored.review.text);
  const auto by = document ? document->root().find("by") : std::nullopt;
  return by && by->is(json::Kind::string) && by->string() == word_of(scoring::ReviewedBy::model);
}

/// A stored review as a command for `head`.
SaveReview as_stored(const ResultHead& head, const StoredReview& stored) {
  return {head.rescored, head.status, stored.review, head.fault, head.is_void.value_or(false)};
}

}  // namespace

Expected<Reviewing> review(const store::Snapshot& snapshot, const ResultHead& head) {
  if (!is_terminal(head.status)) {
    return problem(ProblemKind::conflict, "only a finished result can be reviewed; this one is " +
                                              std::string(word_of(head.status)));
  }
  OpenReview open;
  open.head = head;
  open.trial = before_retry(head);
  TRY(input, load_scoring(snapshot, head.stamp.id));
  open.input = std::move(input);
  TRY(verdict, load_verdict(snapshot, head));
  open.verdict = scoring::results_of(verdict);
  open.by_rules = scoring::review(open.result());
  Reviewing made;
  made.command = kept(open.head, open.by_rules);
  const bool is_open = scoring::is_open_to_model(open.result(), open.by_rules);
  if (is_open) {
    const std::size_t bytes = bytes_of(open.input.entries);
    made.open_bytes = bytes + open.input.entries.size() * sizeof(Entry) + std::min(bytes, question_bytes_max);
    made.open = std::make_shared<OpenReview>(std::move(open));
  }
  return made;
}

Expected<std::optional<SaveReview>> review_again(const store::Snapshot& snapshot, const ResultHead& head,
                                                 const ScoringInput& input,
                                                 std::span<const AssertionResult> verdict) {
  TRY(stored, snapshot.part<StoredReview>(head));
  if (!stored) return std::optional<SaveReview>{};
  const scoring::ReviewedResult result{head, input.test_case, input.entries, verdict};
  const scoring::ResultReview by_rules = scoring::review(result);
  const bool stays = is_of_model(*stored) && scoring::is_open_to_model(result, by_rules);
  return std::optional(stays ? as_stored(head, *stored) : kept(head, by_rules));
}

void ask_reviewer(const Services& services, const RunInBackground& background, Reviewing reviewing,
                  Completion<SaveReview> done) {
  if (!reviewing.open || !services.settings.judge_model) return done(std::move(reviewing.command));
  reviewing.open->use.model = services.settings.judge_model->model;
  ask({services, background, std::move(reviewing.open), std::move(done)});
}

}  // namespace parley::actors
