#pragma once
/// Rules of smart tags (D20): checked when they are written, applied to a log when it is created. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record_parse.hpp"
#include "model/records/external_log.hpp"
#include "model/records/tag.hpp"
#include "scoring/support/work.hpp"

namespace parley::scoring {

/// Adds the faults of a rule beyond its description: no condition, a pattern that RE2 rejects, a pointer that is
/// malformed or does not point into metadata, a missing value that the op needs. `prefix` points at the rule.
void check_tag_rule(const TagRule& rule, const std::string& prefix, Findings& findings);

/// The work that the rules of all tags together may use for one log: at most a minute.
inline constexpr Steps rule_work_max = 20'000'000'000;
/// The part of that work that one pattern may use: at most some seconds.
inline constexpr Steps rule_pattern_work_max = 1'000'000'000;

/// The remaining work.
class RuleWork {
 public:
  /// Null `stop`: nothing stops it.
  explicit RuleWork(Steps steps, const StopFlag* stop = nullptr) : left_(steps), stop_(stop) {}

  /// False if less is left or the process stops; from then on, nothing is left.
  [[nodiscard]] bool take(Steps steps);
  /// Whether the pattern matches one of the texts. Also false if this takes more work than one pattern may use,
  /// or more than is left; in the latter case nothing is left from then on.
  [[nodiscard]] bool matches_one(Pattern& pattern, const std::vector<std::string>& texts);
  [[nodiscard]] bool is_out() const { return is_out_; }

 private:
  Steps left_;
  const StopFlag* stop_;
  bool is_out_ = false;
};

/// The texts that the conditions of rules check. A condition does not hold once no work is left.
class RuleTexts {
 public:
  explicit RuleTexts(std::vector<std::string> texts = {});

  [[nodiscard]] bool empty() const { return texts_.empty(); }
  /// Compares case-folded texts, which are computed once for all conditions.
  [[nodiscard]] bool one_contains(std::string_view part, RuleWork& work);
  [[nodiscard]] bool one_equals(std::string_view wanted, RuleWork& work) const;
  [[nodiscard]] bool one_matches(std::string_view pattern, RuleWork& work) const;

 private:
  std::vector<std::string> texts_;
  std::size_t bytes_ = 0;            ///< total size of the texts
  std::vector<std::string> folded_;  ///< one for each text, or empty: not computed yet
};

/// The texts of one log that rules read, extracted once for all rules. `contains` ignores letter case; `equals`
/// compares exactly. A metadata value that is not a string counts as its JSON text, except that `equals`
/// compares values and `contains` searches for an item of a list.
class LogTexts {
 public:
  /// `work` is for all rules together. Conditions checked after it is used up, or after the flag was set, do not hold.
  explicit LogTexts(const ExternalLog& log, Steps work = rule_work_max, const StopFlag* stop = nullptr);

  /// Whether any or all of the rule's conditions hold, as the rule defines.
  [[nodiscard]] bool meet(const TagRule& rule);
  /// Whether a rule may have been missed because the work was used up.
  [[nodiscard]] bool ran_out() const { return work_.is_out(); }

 private:
  [[nodiscard]] bool meets(const TagCondition& condition);
  [[nodiscard]] bool holds_at(const TagCondition& condition, const std::optional<json::Value>& wanted);

  RuleTexts contents_;
  RuleTexts description_;  ///< no text or one
  RuleTexts source_;       ///< no text or one
  std::optional<json::Document> metadata_;
  std::size_t metadata_bytes_;
  RuleWork work_;
};

}  // namespace parley::scoring
