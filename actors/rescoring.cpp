#include "actors/rescoring.hpp"

#include <algorithm>

#include "actors/case_generation.hpp"
#include "actors/judging.hpp"
#include "actors/result_loading.hpp"
#include "actors/reviewing.hpp"
#include "model/record_parse.hpp"
#include "scoring/judge.hpp"
#include "scoring/question.hpp"
#include "tester/compose.hpp"

namespace parley::actors {
namespace {

constexpr std::string_view not_asked =
    "Scoring again calls no judge, and no stored verdict is about these words.";

using Rows = std::vector<AssertionResult>;

Result<Rows> stored_rows(const ResultVerdict& verdict) {
  const auto document = json::parse(verdict.assertion_results.text);
  if (!document) return document.problem();
  Rows rows;
  for (const json::Value& row : document->root().children()) parse_stored(row, rows.emplace_back());
  return rows;
}

Result<std::vector<Assertion>> effective(const store::Snapshot& snapshot, const ResultHead& head,
                                         const Rows& last, std::span<const Assertion> given) {
  if (given.empty() && head.test) {
    TRY(test, snapshot.find<Test>(head.test->id));
    if (test) {
      TRY(made, generate_case(snapshot, *test, {}));
      return std::move(made.assertions);
    }
  }
  std::vector<Assertion> base;
  for (const AssertionResult& row : last) base.push_back(row.assertion);
  return tester::compose({"", base}, {"", given}).assertions;
}

bool asks_the_same(const Assertion& one, const Assertion& other) {
  return one.type == other.type && one.criteria == other.criteria && one.config == other.config;
}

/// The verdict that a judge gave to the same words.
void keep_judgement(AssertionResult& row, const Rows& last) {
  const auto same = std::find_if(last.begin(), last.end(), [&](const AssertionResult& old) {
    return asks_the_same(old.assertion, row.assertion);
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

std::size_t bytes_of(std::span<const Entry> entries) {
  std::size_t bytes = 0;
  for (const Entry& entry : entries) bytes += entry.content.value_or("").size() + entry.metadata.text.size();
  return bytes;
}

}  // namespace

Result<Rescoring> rescore(const store::Snapshot& snapshot, const ResultHead& head,
                          std::span<const Assertion> given, Time now, IdSource& ids) {
  if (head.status != ResultStatus::completed) {
    return problem(ProblemKind::conflict, "only a completed result can be scored again; this one is " +
                                              std::string(word_of(head.status)));
  }
  TRY(verdict, load_verdict(snapshot, head.stamp.id));
  TRY(last, stored_rows(verdict));
  TRY(assertions, effective(snapshot, head, last, given));
  if (assertions.size() > limits::assertions_max)
    return body_fault("/assertions", "must come to at most 100 assertions with those that the result has");
  for (Assertion& each : assertions) {
    if (each.id.empty()) each.id = to_text(ids.next(now));
  }
  TRY(input, load_scoring(snapshot, head.stamp.id));
  input.generated.assertions = std::move(assertions);
  Rows rows = scoring::judge({input.entries, input.end_reason}, input.generated.assertions);
  for (AssertionResult& row : rows) {
    if (scoring::asks_model(row)) keep_judgement(row, last);
  }
  Scored scored = scored_of(input, rows, head.attempt);
  Rescoring made;
  made.head = head;
  made.changes = scored.verdict.assertion_results != verdict.assertion_results;
  made.command = {head.rescored,
                  std::move(scored.verdict.assertion_results),
                  scored.score,
                  scored.overall_passed,
                  scored.is_decided,
                  scored.fault,
                  {}};
  ResultHead next = head;
  next.is_decided = scored.is_decided;
  TRY(review, review_again(snapshot, next, input, rows));
  made.command.review = std::move(review);
  made.flips = flips_of(last, rows);
  made.bytes = bytes_of(input.entries);
  return made;
}

}  // namespace parley::actors
