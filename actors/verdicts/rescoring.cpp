#include "actors/verdicts/rescoring.hpp"

#include <algorithm>

#include "actors/base/commit_outcome.hpp"
#include "actors/result/result_loading.hpp"
#include "actors/run/case_generation.hpp"
#include "actors/verdicts/judging.hpp"
#include "actors/verdicts/reviewing.hpp"
#include "scoring/kinds.hpp"
#include "scoring/prompts/criteria_question.hpp"
#include "scoring/review.hpp"
#include "tester/compose.hpp"

namespace parley::actors {
namespace {

constexpr std::string_view not_asked = "Rescoring calls no judge, and no stored verdict covers this text.";

using Rows = std::vector<AssertionResult>;

bool is_same_question(const Assertion& one, const Assertion& other) {
  return one.type == other.type && one.criteria == other.criteria && one.config == other.config;
}

/// Takes over the verdict that a judge gave on the same text.
void keep_judgement(AssertionResult& row, const Rows& last) {
  const auto same = std::find_if(last.begin(), last.end(), [&](const AssertionResult& old) {
    return is_same_question(old.assertion, row.assertion);
  });
  if (same == last.end()) {
    row.reason = not_asked;
    return;
  }
  Assertion assertion = std::move(row.assertion);
  row = *same;
  row.assertion = std::move(assertion);
}

const AssertionResult* find_row(const Rows& rows, const std::string& id) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const AssertionResult& row) { return row.assertion.id == id; });
  return found == rows.end() ? nullptr : &*found;
}

std::vector<Flip> flips_of(const Rows& last, const Rows& now) {
  std::vector<Flip> flips;
  for (const AssertionResult& row : now) {
    const AssertionResult* old = find_row(last, row.assertion.id);
    if (old != nullptr && old->status == row.status) continue;
    flips.push_back({row.assertion, std::nullopt, row.status, row.reason});
    if (old != nullptr) flips.back().before = old->status;
  }
  for (const AssertionResult& row : last) {
    if (find_row(now, row.assertion.id) == nullptr)
      flips.push_back({row.assertion, row.status, std::nullopt, {}});
  }
  return flips;
}

/// A rescoring that changes nothing: both sides show the current result.
Rescoring unchanged(const ResultHead& head) {
  Rescoring made;
  made.head = head;
  made.command.score = head.score;
  made.command.overall_passed = head.overall_passed;
  made.command.is_decided = head.is_decided;
  made.command.has_missed = head.has_missed;
  made.command.group = head.group;
  return made;
}

}  // namespace

Expected<Rescoring> rescored_since(const store::Snapshot& snapshot, const ResultHead& head, Time since) {
  Rescoring made = unchanged(head);
  if (head.rescored == 0) return made;
  TRY(newest, snapshot.verdict(head));
  if (!newest || !newest->before || newest->before->replaced_at < since) return made;
  TRY(older, snapshot.verdict(head.stamp.id, head.rescored - 1));
  if (!older) return snapshot.report(store::TableId::result_verdicts, head.stamp.id.key());
  const Rows before = scoring::results_of(*older);
  made.head.score = newest->before->score;
  made.head.overall_passed = newest->before->overall_passed;
  made.head.is_decided = scoring::score_of(before).decided;
  made.flips = flips_of(before, scoring::results_of(*newest));
  made.changes = true;
  made.bytes = older->assertion_results.text.size() + newest->assertion_results.text.size();
  return made;
}

Rescorer::Rescorer(const store::Snapshot& snapshot, std::span<const Assertion> given, Time now, IdSource& ids,
                   const scoring::StopFlag& stop)
    : snapshot_(snapshot), given_(given.begin(), given.end()), now_(now), ids_(ids), stop_(stop) {
  name(given_);
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].id.empty()) named_.insert(given_[i].id);
  }
}

void Rescorer::name(std::vector<Assertion>& assertions) {
  scoring::complete(assertions, now_, ids_);
}

Expected<const std::vector<Assertion>*> Rescorer::of_test(const Id& test) {
  const auto known = of_tests_.find(test);
  if (known != of_tests_.end()) return &known->second;
  TRY(found, snapshot_.find_listed<Test>(test));
  if (!found) return nullptr;
  TRY(made, generate_case(snapshot_, *found));
  if (!made) {
    return body_fault("/assertions",
                      "must be given: the test " + to_text(test) + " " + std::string(too_much_put_in));
  }
  name(made->assertions);
  if (of_tests_.size() >= tests_kept_max) of_tests_.clear();
  return &of_tests_.emplace(test, std::move(made->assertions)).first->second;
}

Expected<std::vector<Assertion>> Rescorer::effective(const ResultHead& head,
                                                     std::span<const AssertionResult> last) {
  if (given_.empty() && head.test) {
    TRY(made, of_test(head.test->id));
    if (made != nullptr) return *made;
  }
  std::vector<Assertion> base;
  for (const AssertionResult& row : last) base.push_back(row.assertion);
  std::vector<Assertion> composed =
      tester::compose({"", std::move(base)}, {"", {given_.begin(), given_.end()}}).assertions;
  // A repeated request must change nothing: an assertion that replaces another one by name takes its id.
  for (std::size_t i = 0; i < last.size(); ++i) {
    if (named_.contains(composed[i].id)) composed[i].id = last[i].assertion.id;
  }
  name(composed);
  return composed;
}

Expected<Rescoring> Rescorer::rescore(const ResultHead& head) {
  if (head.status != ResultStatus::completed) {
    return problem(ProblemKind::conflict, "only a completed result can be scored again; this one is " +
                                              std::string(word_of(head.status)));
  }
  TRY(verdict, load_verdict(snapshot_, head));
  const Rows last = scoring::results_of(verdict);
  TRY(assertions, effective(head, last));
  if (assertions.size() > limits::assertions_max)
    return body_fault("/assertions", "must have at most 100 assertions together with those of the result");
  TRY(input, load_scoring(snapshot_, head.stamp.id));
  input.test_case.assertions = std::move(assertions);
  auto judged =
      scoring::judge({input.entries, input.end_reason}, input.test_case.assertions, configs_, stop_);
  if (!judged) return stopping();
  Rows rows = std::move(*judged);
  for (AssertionResult& row : rows) {
    if (scoring::needs_model(row)) keep_judgement(row, last);
  }
  Scored scored = verdict_of(input, rows, head.attempt);
  Rescoring made;
  made.head = head;
  made.changes = scored.verdict.assertion_results != verdict.assertion_results;
  made.command = {head.rescored,     std::move(scored.verdict.assertion_results),
                  scored.score,      scored.overall_passed,
                  scored.is_decided, scored.fault,
                  scored.has_missed, scored.warned,
                  scored.group,      {}};
  ResultHead next = head;
  next.is_decided = scored.is_decided;
  TRY(review, review_again(snapshot_, next, input, rows));
  made.command.review = std::move(review);
  made.flips = flips_of(last, rows);
  made.bytes = bytes_of(input.entries);
  return made;
}

}  // namespace parley::actors
