#include "scoring/support/tag_rule.hpp"

#include <algorithm>

#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

// Worst-case costs in steps.
constexpr std::size_t fold_units = 16;        ///< per byte, case-folded
constexpr std::size_t compile_units = 1'000;  ///< per instruction of a pattern
constexpr std::size_t rule_units = 8'000;     ///< per rule that is read from the store
constexpr std::size_t condition_units = 200;

void check_value(const TagCondition& condition, const std::string& pointer, Findings& findings) {
  const bool is_exists = condition.op == TagOp::exists;
  if (!condition.value) {
    if (!is_exists) findings.add(pointer, "is required for this op");
    return;
  }
  const auto value = json::parse(condition.value->text);
  if (!value.ok()) return;
  const bool is_string = value->root().is(json::Kind::string);
  const bool accepts_any = condition.field == TagField::metadata &&
                           (condition.op == TagOp::equals || condition.op == TagOp::contains);
  if (is_exists) {
    if (!value->root().is(json::Kind::boolean)) findings.add(pointer, "must be true or false for exists");
  } else if (!accepts_any && !is_string) {
    findings.add(pointer, "must be a string");
  } else if (condition.op == TagOp::regex) {
    const auto measure = findings.patterns.measure(value->root().string());
    if (!measure.fault.empty()) findings.add(pointer, measure.fault);
  }
}

std::string without_case(std::string_view text) {
  return comparable(text, {.letter_case = true});
}

/// Needs: not the op `exists`.
bool one_holds(TagOp op, RuleTexts& texts, std::string_view wanted, RuleWork& work) {
  switch (op) {
    case TagOp::contains: return texts.one_contains(wanted, work);
    case TagOp::equals: return texts.one_equals(wanted, work);
    case TagOp::regex: return texts.one_matches(wanted, work);
    case TagOp::exists: break;
  }
  return false;
}

bool value_holds(TagOp op, const json::Value& value, const json::Value& wanted, RuleWork& work) {
  if (op == TagOp::equals) return json::equal(value, wanted);
  if (op == TagOp::contains && value.is(json::Kind::array)) {
    const auto items = value.children();
    return std::any_of(items.begin(), items.end(),
                       [&](const json::Value& item) { return json::equal(item, wanted); });
  }
  RuleTexts text({json::as_text(value)});
  return one_holds(op, text, json::as_text(wanted), work);
}

Found first_found(Pattern& pattern, const std::vector<std::string>& texts, Steps& left) {
  for (const std::string& text : texts) {
    const Found found = pattern.search(text, left);
    if (found != Found::no) return found;
  }
  return Found::no;
}

std::vector<std::string> one_or_none(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{text};
}

}  // namespace

bool RuleWork::take(Steps steps) {
  const bool is_stopping = stop_ != nullptr && stop_->load(std::memory_order_relaxed);
  if (is_stopping || steps > left_) is_out_ = true;
  if (is_out_) return false;
  left_ -= steps;
  return true;
}

bool RuleWork::matches_one(Pattern& pattern, const std::vector<std::string>& texts) {
  const Steps most = std::min(left_, rule_pattern_work_max);
  Steps left = most;
  const Found found = first_found(pattern, texts, left);
  if (!take(most - left)) return false;
  if (found == Found::undecided && most < rule_pattern_work_max) is_out_ = true;
  return found == Found::yes;
}

RuleTexts::RuleTexts(std::vector<std::string> texts) : texts_(std::move(texts)) {
  for (const std::string& text : texts_) bytes_ += text.size();
}

bool RuleTexts::one_contains(std::string_view part, RuleWork& work) {
  if (folded_.size() < texts_.size()) {
    if (!work.take(fold_units * bytes_)) return false;
    folded_.reserve(texts_.size());
    for (const std::string& text : texts_) folded_.push_back(without_case(text));
  }
  if (!work.take(bytes_)) return false;
  const std::string wanted = without_case(part);
  return std::any_of(folded_.begin(), folded_.end(),
                     [&](const std::string& text) { return holds(text, wanted); });
}

bool RuleTexts::one_equals(std::string_view wanted, RuleWork& work) const {
  return work.take(bytes_) && std::find(texts_.begin(), texts_.end(), wanted) != texts_.end();
}

bool RuleTexts::one_matches(std::string_view pattern, RuleWork& work) const {
  auto compiled = Pattern::compile(pattern);
  return compiled.ok() && work.take(static_cast<Steps>(compiled->size()) * compile_units) &&
         work.matches_one(compiled.value(), texts_);
}

LogTexts::LogTexts(const ExternalLog& log, Steps work, const StopFlag* stop)
    : description_(one_or_none(log.description)),
      source_(one_or_none(log.external_source)),
      metadata_bytes_(log.metadata.text.size()),
      work_(work, stop) {
  if (auto metadata = json::parse(log.metadata.text); metadata.ok()) metadata_ = std::move(metadata).value();
  const auto conversation = json::parse(log.conversation.text);
  if (!conversation.ok()) return;
  std::vector<std::string> contents;
  for (const json::Value& entry : conversation->root().children()) {
    const auto content = entry.find("content");
    if (content && content->is(json::Kind::string) && !content->string().empty())
      contents.emplace_back(content->string());
  }
  contents_ = RuleTexts(std::move(contents));
}

bool LogTexts::meet(const TagRule& rule) {
  if (!work_.take(rule_units)) return false;
  const auto holds_one = [&](const TagCondition& condition) { return meets(condition); };
  if (rule.match == TagMatch::any)
    return std::any_of(rule.conditions.begin(), rule.conditions.end(), holds_one);
  return std::all_of(rule.conditions.begin(), rule.conditions.end(), holds_one);
}

bool LogTexts::meets(const TagCondition& condition) {
  const std::size_t value_bytes = condition.value ? condition.value->text.size() : 0;
  const bool is_metadata = condition.field == TagField::metadata;
  if (!work_.take(condition_units + value_bytes + (is_metadata ? metadata_bytes_ : 0))) return false;
  if (!condition.value) return holds_at(condition, std::nullopt);
  const auto value = json::parse(condition.value->text);
  if (!value.ok()) return false;
  const bool is_opposite =
      condition.op == TagOp::exists && value->root().is(json::Kind::boolean) && !value->root().boolean();
  return holds_at(condition, value->root()) != is_opposite;
}

bool LogTexts::holds_at(const TagCondition& condition, const std::optional<json::Value>& wanted) {
  if (!wanted && condition.op != TagOp::exists) return false;
  if (condition.field == TagField::metadata) {
    if (!metadata_) return false;
    const auto found = json::at_pointer(metadata_->root(), condition.pointer.value_or(""));
    return found && (condition.op == TagOp::exists || value_holds(condition.op, *found, *wanted, work_));
  }
  RuleTexts& texts = condition.field == TagField::content       ? contents_
                     : condition.field == TagField::description ? description_
                                                                : source_;
  if (condition.op == TagOp::exists) return !texts.empty();
  return one_holds(condition.op, texts, json::as_text(*wanted), work_);
}

void check_tag_rule(const TagRule& rule, const std::string& prefix, Findings& findings) {
  for (std::size_t i = 0; i < rule.conditions.size(); ++i) {
    const TagCondition& condition = rule.conditions[i];
    const std::string at = prefix + "/conditions/" + std::to_string(i);
    if (condition.pointer && condition.field != TagField::metadata) {
      findings.add(at + "/pointer", "is only for the field metadata");
    } else if (condition.pointer && !json::is_pointer(*condition.pointer)) {
      findings.add(at + "/pointer", "must be a JSON pointer (RFC 6901)");
    }
    check_value(condition, at + "/value", findings);
  }
}

}  // namespace parley::scoring
