#include "scoring/verdict.hpp"

#include <algorithm>

#include "scoring/kinds.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/quotes.hpp"

namespace parley::scoring {
namespace {

bool is_decided(AssertionStatus status) {
  return status == AssertionStatus::passed || status == AssertionStatus::failed;
}

AssertionResult in_error(const Assertion& assertion, std::string reason) {
  return {assertion, AssertionStatus::error, std::move(reason), {}, std::nullopt};
}

/// Adds a full stop unless the finding already ends a sentence, for example with a quotation.
std::string as_sentence(std::string found) {
  const bool is_finished =
      !found.empty() && std::string_view(".!?").find(found.back()) != std::string_view::npos;
  if (!is_finished) found += '.';
  return found;
}

AssertionResult result_of(const Assertion& assertion, const Verdict& verdict, bool negated) {
  AssertionResult result{assertion, verdict.status, verdict.found, {}, std::nullopt};
  if (is_decided(verdict.status)) {
    result.reason = (negated ? "Expected the opposite of: " : "Expected: ") + verdict.expected +
                    ". Found: " + as_sentence(verdict.found);
  }
  for (const Id& id : verdict.evidence) result.evidence.push_back(to_text(id));
  result.quotes = verdict.quotes;
  return result;
}

CheckedConfigs::Checked checked(const Assertion& assertion) {
  CheckedConfigs::Checked made{find_kind(assertion.type), std::nullopt, {}, 0};
  if (made.kind == nullptr) {
    made.fault = "There is no assertion type '" + assertion.type + "'.";
    return made;
  }
  auto document = json::parse(assertion.config ? assertion.config->text : "{}");
  if (!document.ok() || !document.value().root().is(json::Kind::object)) {
    made.fault = "The assertion's config is not a JSON object.";
    return made;
  }
  made.config = std::move(document).value();
  Findings findings;
  check_keys(*made.kind, made.config->root(), "", findings);
  check_values(*made.kind, made.config->root(), "", findings);
  made.work = findings.patterns.work();
  if (findings.faults.empty()) return made;
  const Fault& fault = findings.faults.front();
  made.fault = "The assertion's config is invalid: " + fault.pointer + " " + fault.detail + ".";
  return made;
}

AssertionResult judge_one(Conversation& conversation, const Assertion& assertion,
                          const CheckedConfigs::Checked& checked) {
  constexpr Steps steps_a_unit = 200;  // per unit of PatternWork
  const bool may_match = conversation.work().take(static_cast<Steps>(checked.work) * steps_a_unit);
  if (!checked.fault.empty() || !may_match) {
    static_cast<void>(conversation.work().end_assertion());
    return in_error(assertion, may_match ? checked.fault : std::string(too_much_work));
  }
  const json::Value config = checked.config->root();
  Verdict verdict = decide_turned(*checked.kind, config, conversation);
  add_quotes(verdict, *checked.kind, config, conversation);
  return result_of(assertion, verdict, flag_at(config, "negate"));
}

/// The maximum size of cached config texts; beyond it, all are dropped. A tree can take twenty times the size
/// of its text.
constexpr std::size_t config_bytes_kept_max = 1024 * 1024;

}  // namespace

const CheckedConfigs::Checked& CheckedConfigs::of(const Assertion& assertion) {
  std::string key = std::to_string(assertion.type.size()) + ':' + assertion.type;
  if (assertion.config) key += assertion.config->text;
  const auto known = checked_.find(key);
  if (known != checked_.end()) return known->second;
  if (bytes_ + key.size() > config_bytes_kept_max) {
    checked_.clear();
    bytes_ = 0;
  }
  bytes_ += key.size();
  return checked_.emplace(std::move(key), checked(assertion)).first->second;
}

std::vector<AssertionResult> judge(const Subject& subject, std::span<const Assertion> assertions) {
  CheckedConfigs configs;
  const StopFlag never = false;
  return *judge(subject, assertions, configs, never);
}

std::optional<std::vector<AssertionResult>> judge(const Subject& subject,
                                                  std::span<const Assertion> assertions,
                                                  CheckedConfigs& configs, const StopFlag& stop) {
  Conversation conversation(subject, configs.patterns(), &stop);
  std::vector<AssertionResult> results;
  results.reserve(assertions.size());
  for (const Assertion& assertion : assertions) {
    if (conversation.is_stopped()) return std::nullopt;
    results.push_back(judge_one(conversation, assertion, configs.of(assertion)));
  }
  if (conversation.is_stopped()) return std::nullopt;
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
    score.missed = score.missed || result.status == AssertionStatus::failed;
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
  // Rounds half up: floor(x + 1/2) in whole numbers. If all weights are 0, the sum is empty.
  if (weight > 0) score.score = static_cast<int>((200 * passed_weight + weight) / (2 * weight));
  return score;
}

}  // namespace parley::scoring
