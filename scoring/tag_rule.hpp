#pragma once
/// Rules of smart tags (D20): checked when they are written, asked about a log when it is created. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/external_log.hpp"
#include "model/record_parse.hpp"
#include "model/tag.hpp"

namespace parley::scoring {

/// Adds the faults of a rule beyond its description: no condition, a pattern RE2 refuses, a malformed pointer or one
/// that is not into metadata, a value that the op needs and does not have. `prefix` points at the rule.
void check_tag_rule(const TagRule& rule, const std::string& prefix, Findings& findings);

/// Texts that conditions of rules look at, one after the other.
class RuleTexts {
 public:
  explicit RuleTexts(std::vector<std::string> texts = {}) : texts_(std::move(texts)) {}

  [[nodiscard]] const std::vector<std::string>& all() const { return texts_; }
  /// Without letter case, which is taken out of the texts once for all conditions.
  [[nodiscard]] bool one_contains(std::string_view part);

 private:
  std::vector<std::string> texts_;
  std::vector<std::string> folded_;  ///< of all of them, or not made yet
};

/// The texts of one log that rules look at, read once for all of them. Text is compared without letter case by
/// `contains`, exactly by `equals`; a value in the metadata that is no string counts as its JSON text, but `equals`
/// compares values and `contains` looks for an item of a list.
class LogTexts {
 public:
  explicit LogTexts(const ExternalLog& log);

  /// Whether any or all of the rule's conditions hold.
  [[nodiscard]] bool meet(const TagRule& rule);

 private:
  [[nodiscard]] bool meets(const TagCondition& condition);
  [[nodiscard]] bool holds_at(const TagCondition& condition, const std::optional<json::Value>& wanted);

  RuleTexts contents_;
  RuleTexts description_;  ///< none or one
  RuleTexts source_;       ///< none or one
  std::optional<json::Document> metadata_;
};

}  // namespace parley::scoring
