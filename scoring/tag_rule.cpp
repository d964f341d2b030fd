#include "scoring/tag_rule.hpp"

#include <algorithm>

#include "model/pattern.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

void check_value(const TagCondition& condition, const std::string& pointer, Findings& findings) {
  const bool is_exists = condition.op == TagOp::exists;
  if (!condition.value) {
    if (!is_exists) findings.add(pointer, "is required for this op");
    return;
  }
  const auto value = json::parse(condition.value->text);
  if (!value.ok()) return;
  const bool is_string = value->root().is(json::Kind::string);
  const bool takes_any = condition.field == TagField::metadata &&
                         (condition.op == TagOp::equals || condition.op == TagOp::contains);
  if (is_exists) {
    if (!value->root().is(json::Kind::boolean)) findings.add(pointer, "must be true or false for exists");
  } else if (!takes_any && !is_string) {
    findings.add(pointer, "must be a string");
  } else if (condition.op == TagOp::regex) {
    const auto pattern = Pattern::compile(value->root().string());
    if (!pattern.ok()) findings.add(pointer, "is no pattern: " + pattern.problem().detail);
  }
}

std::string without_case(std::string_view text) {
  return comparable(text, {.letter_case = true});
}

/// Texts that are too long for their pattern together do not match: a rule must not hold up the recording of logs.
bool one_matches(const std::vector<std::string>& texts, std::string_view pattern) {
  const auto compiled = Pattern::compile(pattern);
  std::size_t bytes = 0;
  for (const std::string& text : texts) bytes += text.size();
  return compiled.ok() && compiled->may_match_bytes(bytes) &&
         std::any_of(texts.begin(), texts.end(),
                     [&](const std::string& text) { return compiled->matches(text); });
}

/// Needs: not the op `exists`.
bool one_holds(TagOp op, RuleTexts& texts, std::string_view wanted) {
  switch (op) {
    case TagOp::contains: return texts.one_contains(wanted);
    case TagOp::equals: return std::find(texts.all().begin(), texts.all().end(), wanted) != texts.all().end();
    case TagOp::regex: return one_matches(texts.all(), wanted);
    case TagOp::exists: break;
  }
  return false;
}

std::string text_of(const json::Value& value) {
  return value.is(json::Kind::string) ? std::string(value.string()) : value.compact().text;
}

bool value_holds(TagOp op, const json::Value& value, const json::Value& wanted) {
  if (op == TagOp::equals) return json::equal(value, wanted);
  if (op == TagOp::contains && value.is(json::Kind::array)) {
    const auto items = value.children();
    return std::any_of(items.begin(), items.end(),
                       [&](const json::Value& item) { return json::equal(item, wanted); });
  }
  RuleTexts text({text_of(value)});
  return one_holds(op, text, text_of(wanted));
}

std::vector<std::string> one_or_none(const std::string& text) {
  return text.empty() ? std::vector<std::string>{} : std::vector<std::string>{text};
}

}  // namespace

bool RuleTexts::one_contains(std::string_view part) {
  if (folded_.size() < texts_.size()) {
    folded_.reserve(texts_.size());
    for (const std::string& text : texts_) folded_.push_back(without_case(text));
  }
  const std::string wanted = without_case(part);
  return std::any_of(folded_.begin(), folded_.end(),
                     [&](const std::string& text) { return holds(text, wanted); });
}

LogTexts::LogTexts(const ExternalLog& log)
    : description_(one_or_none(log.description)), source_(one_or_none(log.external_source)) {
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
  const auto holds_one = [&](const TagCondition& condition) { return meets(condition); };
  if (rule.match == TagMatch::any)
    return std::any_of(rule.conditions.begin(), rule.conditions.end(), holds_one);
  return std::all_of(rule.conditions.begin(), rule.conditions.end(), holds_one);
}

bool LogTexts::meets(const TagCondition& condition) {
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
    return found && (condition.op == TagOp::exists || value_holds(condition.op, *found, *wanted));
  }
  RuleTexts& texts = condition.field == TagField::content       ? contents_
                     : condition.field == TagField::description ? description_
                                                                : source_;
  if (condition.op == TagOp::exists) return !texts.all().empty();
  return one_holds(condition.op, texts, text_of(*wanted));
}

void check_tag_rule(const TagRule& rule, const std::string& prefix, Findings& findings) {
  if (rule.conditions.empty()) findings.add(prefix + "/conditions", "must have at least one condition");
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
