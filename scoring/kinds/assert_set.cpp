// The type `assert-set`: combines several assertions into one.

#include <algorithm>
#include <array>

#include "model/json/json_writer.hpp"
#include "scoring/kinds.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/numeric_compare.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace assert_set_kind {
namespace {

constexpr std::size_t assertions_max = 50;

constexpr std::array<std::string_view, 3> match_words{"all", "any", "none"};
constexpr std::array keys{
    ConfigKey{"assertions", true, ConfigType::objects,
              "The assertions, each {type, config, name, weight}; sets can be nested three levels deep, with "
              "at most 50 "
              "assertions in all; none of type criteria.",
              assertions_max},
    word_key("match", match_words,
             "all (default): every assertion passes; any: at least one passes; none: no assertion passes."),
    ConfigKey{"threshold", false, ConfigType::share,
              "Instead of match: the least share of the weights that pass, above 0."},
};

/// The reason lists the findings of single assertions until it has this size.
constexpr std::size_t shown_bytes_max = 1'000;
constexpr int depth_max = 3;
constexpr std::int64_t weight_by_default = 1;
constexpr std::int64_t weight_max = 100;

/// Walks a set and its nested sets, and counts their assertions together.
class Check {
 public:
  explicit Check(Findings& findings) : findings_(findings) {}

  void set(const json::Value& config, const std::string& pointer, int depth) {
    if (given(config, "threshold") && given(config, "match"))
      findings_.add(pointer + "/threshold", "excludes match; give one of them");
    if (number_at(config, "threshold") == 0.0)
      findings_.add(pointer + "/threshold", "must be above 0: no share is below that");
    const auto items = items_at(config, "assertions");
    if (items.size() > assertions_max) return;  // already reported for the whole list
    std::size_t index = 0;
    for (const json::Value& item : items) {
      const std::string at = pointer + "/assertions/" + std::to_string(index++);
      if (left_ == 0) return findings_.add(at, "is one too many: a set holds at most 50 assertions in all");
      --left_;
      if (item.is(json::Kind::object)) member(item, at, depth);
    }
  }

 private:
  void member(const json::Value& item, const std::string& at, int depth) {
    for (const json::Value& field : item.children()) {
      const std::string_view key = field.key();
      if (key != "type" && key != "config" && key != "name" && key != "weight")
        findings_.add(at + "/" + json::pointer_token(key),
                      "is not a key of an assertion here; the keys are type, config, name, weight");
    }
    const auto weight = given(item, "weight");
    const auto number = count_at(item, "weight");
    if (weight && (!number || *number < 0 || *number > weight_max))
      findings_.add(at + "/weight", "must be a whole number from 0 to 100");
    const auto name = given(item, "name");
    if (name && !name->is(json::Kind::string)) findings_.add(at + "/name", "must be a string");
    const Kind* kind = find_kind(text_at(item, "type").value_or(""));
    if (kind == nullptr || kind == &rows::criteria)
      return findings_.add(at + "/type", "must be an assertion type that needs no model");
    if (kind == &rows::assert_set && depth == depth_max)
      return findings_.add(at + "/type", "is nested too deep: sets can be nested three levels deep");
    const auto config = given(item, "config");
    const auto empty = json::parse("{}");
    if (config && !config->is(json::Kind::object)) return findings_.add(at + "/config", "must be an object");
    nested(*kind, config ? *config : empty.value().root(), at + "/config", depth);
  }

  void nested(const Kind& kind, const json::Value& config, const std::string& at, int depth) {
    check_keys(kind, config, at, findings_);
    if (&kind != &rows::assert_set) return check_values(kind, config, at, findings_);
    set(config, at, depth + 1);
    check_words(kind, config, at, findings_);
  }

  Findings& findings_;
  std::size_t left_ = assertions_max;
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  Check(findings).set(config, pointer, 1);
}

struct Tally {
  double passed = 0;
  double failed = 0;
  double undecided = 0;
  std::size_t passed_count = 0;
  std::size_t failed_count = 0;
  std::size_t undecided_count = 0;
  std::string first_undecided;
};

/// The status of the set if it does not depend on the undecided assertions; otherwise error.
AssertionStatus status_of(const json::Value& config, const Tally& tally) {
  const auto open = tally.undecided_count > 0 ? AssertionStatus::error : AssertionStatus::passed;
  if (const auto threshold = number_at(config, "threshold")) {
    const double total = tally.passed + tally.failed + tally.undecided;
    if (total == 0) return AssertionStatus::error;
    if (at_least(tally.passed / total, *threshold)) return AssertionStatus::passed;
    return at_least((tally.passed + tally.undecided) / total, *threshold) ? AssertionStatus::error
                                                                          : AssertionStatus::failed;
  }
  const std::string_view match = text_at(config, "match").value_or("all");
  if (match == "all") return tally.failed_count > 0 ? AssertionStatus::failed : open;
  if (match == "none") return tally.passed_count > 0 ? AssertionStatus::failed : open;
  if (tally.passed_count > 0) return AssertionStatus::passed;
  return tally.undecided_count > 0 ? AssertionStatus::error : AssertionStatus::failed;
}

std::string expectation(const json::Value& config, std::size_t size) {
  if (const auto threshold = number_at(config, "threshold"))
    return "a share of " + json::number_text(*threshold) + " or more of " + counted(size, "assertion") +
           " passes";
  return std::string(text_at(config, "match").value_or("all")) + " of " + counted(size, "assertion") +
         " passes";
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const auto items = items_at(config, "assertions");
  const auto empty = json::parse("{}");
  Tally tally;
  std::string named;
  Verdict verdict;
  for (const json::Value& item : items) {
    const Kind& kind = *find_kind(text_at(item, "type").value_or(""));
    const json::Value own = given(item, "config").value_or(empty.value().root());
    const Verdict one = decide_turned(kind, own, conversation);
    const auto weight = static_cast<double>(count_at(item, "weight").value_or(weight_by_default));
    const std::string_view name = text_at(item, "name").value_or(kind.name);
    const bool passed = one.status == AssertionStatus::passed;
    if (passed || one.status == AssertionStatus::failed) {
      (passed ? tally.passed : tally.failed) += weight;
      ++(passed ? tally.passed_count : tally.failed_count);
      if (named.size() < shown_bytes_max)
        named += "; " + std::string(name) + (passed ? " passed: " : " failed: ") + one.found;
    } else {
      tally.undecided += weight;
      ++tally.undecided_count;
      if (tally.first_undecided.empty()) tally.first_undecided = std::string(name) + ": " + one.found;
    }
    for (const Id& id : one.evidence) {
      const bool is_new =
          std::find(verdict.evidence.begin(), verdict.evidence.end(), id) == verdict.evidence.end();
      if (is_new && verdict.evidence.size() < evidence_max) verdict.evidence.push_back(id);
    }
  }
  verdict.status = status_of(config, tally);
  if (verdict.status == AssertionStatus::error)
    return {.found = "Undecided, because of " +
                     (tally.first_undecided.empty() ? "weights that are all 0." : tally.first_undecided)};
  verdict.expected = expectation(config, items.size());
  verdict.found =
      std::to_string(tally.passed_count) + " passed, " + std::to_string(tally.failed_count) + " failed" +
      (tally.undecided_count > 0 ? ", " + std::to_string(tally.undecided_count) + " undecided" : "") + named;
  return verdict;
}

}  // namespace
}  // namespace assert_set_kind

constinit const Kind rows::assert_set{
    .name = "assert-set",
    .summary = "All, some, none or a share of several assertions pass.",
    .keys = assert_set_kind::keys,
    .check = assert_set_kind::check,
    .decide = assert_set_kind::decide,
};

}  // namespace parley::scoring
