#include "scoring/judge.hpp"

#include <algorithm>

#include "scoring/config.hpp"
#include "scoring/kinds.hpp"

namespace parley::scoring {
namespace {

bool is_decided(AssertionStatus status) {
  return status == AssertionStatus::passed || status == AssertionStatus::failed;
}

AssertionResult in_error(const Assertion& assertion, std::string reason) {
  return {assertion, AssertionStatus::error, std::move(reason), {}, std::nullopt};
}

AssertionResult result_of(const Assertion& assertion, const Verdict& verdict, bool negated) {
  AssertionResult result{assertion, verdict.status, verdict.found, {}, std::nullopt};
  if (is_decided(verdict.status)) {
    result.reason = (negated ? "Expected the opposite of: " : "Expected: ") + verdict.expected +
                    ". Found: " + verdict.found + ".";
  }
  for (const Id& id : verdict.evidence) result.evidence.push_back(to_text(id));
  return result;
}

AssertionResult judge_one(Conversation& conversation, const Assertion& assertion) {
  const Kind* kind = find_kind(assertion.type);
  if (kind == nullptr) return in_error(assertion, "There is no assertion type '" + assertion.type + "'.");
  const auto document = json::parse(assertion.config ? assertion.config->text : "{}");
  if (!document.ok() || !document.value().root().is(json::Kind::object)) {
    return in_error(assertion, "The assertion's config is no JSON object.");
  }
  const json::Value config = document.value().root();
  Findings findings;
  check_keys(*kind, config, "", findings);
  check_values(*kind, config, "", findings);
  if (!findings.faults.empty()) {
    const Fault& fault = findings.faults.front();
    return in_error(assertion,
                    "The assertion's config is at fault: " + fault.pointer + " " + fault.detail + ".");
  }
  return result_of(assertion, decide_turned(*kind, config, conversation), flag_at(config, "negate"));
}

}  // namespace

std::vector<AssertionResult> judge(const Subject& subject, std::span<const Assertion> assertions) {
  Conversation conversation(subject);
  std::vector<AssertionResult> results;
  results.reserve(assertions.size());
  for (const Assertion& assertion : assertions) results.push_back(judge_one(conversation, assertion));
  return results;
}

Score score_of(std::span<const AssertionResult> results) {
  if (results.empty()) return {100, true, true};
  std::int64_t passed_weight = 0;
  std::int64_t weight = 0;
  Score score{0, true, false};
  bool blockers_decided = true;
  for (const AssertionResult& result : results) {
    const bool decided = is_decided(result.status);
    const bool passed = result.status == AssertionStatus::passed;
    if (decided) {
      score.decided = true;
      weight += weight_of(result.assertion);
      if (passed) passed_weight += weight_of(result.assertion);
    }
    if (result.assertion.severity == Severity::blocker) {
      score.overall_passed = score.overall_passed && passed;
      blockers_decided = blockers_decided && decided;
    }
  }
  score.decided = score.decided && blockers_decided;
  // Half up: floor(x + 1/2) in whole numbers. Weights may all be 0; then nothing is in the sum.
  if (weight > 0) score.score = static_cast<int>((200 * passed_weight + weight) / (2 * weight));
  return score;
}

}  // namespace parley::scoring
