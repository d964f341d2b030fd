#include "scoring/review.hpp"

#include <algorithm>
#include <set>

#include "model/description/stored_reader.hpp"
#include "model/json/json_writer.hpp"
#include "model/values/placeholder.hpp"
#include "scoring/grounding/claims.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

/// The number of equal consecutive tester messages that is a fault. Two may be insistence.
constexpr std::size_t same_turns_min = 3;

ResultReview void_trial(FaultSource source, std::string reason) {
  return {false, source, std::move(reason), {}};
}

FaultSource source_of(EndReason reason) {
  switch (reason) {
    case EndReason::agent_error:
    case EndReason::agent_ended:
    case EndReason::max_turns:
    case EndReason::conversation_full: return FaultSource::agent;
    case EndReason::tester_error:
    case EndReason::action_error:
    case EndReason::tester_ended:
    case EndReason::goal_reached: return FaultSource::tester;
    case EndReason::client_error: return FaultSource::client;
    case EndReason::infrastructure_error:
    case EndReason::canceled:
    case EndReason::timeout: return FaultSource::infrastructure;
  }
  return FaultSource::infrastructure;
}

ResultReview of_failed(const ResultHead& head) {
  FaultSource source = head.end_reason ? source_of(*head.end_reason) : FaultSource::infrastructure;
  std::string detail =
      head.end_reason ? "it ended with " + std::string(word_of(*head.end_reason)) : "it says no reason";
  const auto error = json::parse(head.error ? head.error->text : "{}");
  if (error.ok()) {
    const json::Value root = error.value().root();
    if (const auto named = from_word<FaultSource>(text_at(root, "source").value_or(""))) source = *named;
    if (const auto said = text_at(root, "detail")) detail = shortened(*said);
  }
  return {source == FaultSource::agent, source, "The result failed: " + detail, {}};
}

bool is_unfilled(const Assertion& assertion) {
  if (has_placeholder(assertion.criteria.value_or(""))) return true;
  const auto config = json::parse(assertion.config ? assertion.config->text : "{}");
  return config.ok() && has_placeholder(config->root());
}

/// The name or type of an assertion whose text still has a placeholder.
std::optional<std::string> unfilled(const TestCase& asked) {
  if (has_placeholder(asked.instruction)) return "the instruction";
  for (const Assertion& assertion : asked.assertions) {
    if (is_unfilled(assertion)) return "the assertion " + in_quotes(assertion.name.value_or(assertion.type));
  }
  return std::nullopt;
}

/// The assertion that prevents a decision, preferably a BLOCKER; null if no assertion does.
const AssertionResult* undecided_one(std::span<const AssertionResult> verdict) {
  const AssertionResult* open = nullptr;
  for (const AssertionResult& one : verdict) {
    const bool is_open = one.status == AssertionStatus::error || one.status == AssertionStatus::skipped;
    const bool is_blocker = one.assertion.severity == Severity::blocker;
    if (is_open && (open == nullptr || (is_blocker && open->assertion.severity != Severity::blocker)))
      open = &one;
  }
  return open;
}

FaultSource fault_of(const AssertionResult& open) {
  const bool is_judged = open.judge.has_value() || open.assertion.type == "criteria";
  return is_judged ? FaultSource::judge : FaultSource::test;
}

std::optional<ResultReview> of_undecided(const ReviewedResult& result) {
  if (result.head.is_decided) return std::nullopt;
  const AssertionResult* open = undecided_one(result.verdict);
  if (open == nullptr) return void_trial(FaultSource::judge, "The result has no verdict.");
  return void_trial(fault_of(*open), "The assertion " +
                                         in_quotes(open->assertion.name.value_or(open->assertion.type)) +
                                         " was not decided: " + shortened(open->reason));
}

std::vector<const Entry*> tester_turns(std::span<const Entry> entries) {
  std::vector<const Entry*> turns;
  for (const Entry& entry : entries) {
    if (entry.role == Role::tester && (entry.type == EntryType::message || entry.type == EntryType::action))
      turns.push_back(&entry);
  }
  return turns;
}

bool is_blank(const Entry& turn) {
  return turn.type == EntryType::message && words_in(turn.content.value_or("")) == 0;
}

bool says_the_same(const Entry& one, const Entry& other) {
  return one.type == other.type && one.name == other.name && one.metadata == other.metadata &&
         comparable(one.content.value_or(""), {.letter_case = true, .whitespace = true}) ==
             comparable(other.content.value_or(""), {.letter_case = true, .whitespace = true});
}

std::optional<ResultReview> of_blank_turn(const std::vector<const Entry*>& turns) {
  const auto blank =
      std::find_if(turns.begin(), turns.end(), [](const Entry* turn) { return is_blank(*turn); });
  if (blank == turns.end()) return std::nullopt;
  return ResultReview{false, FaultSource::tester, "The tester said nothing in its turn.", {(*blank)->id}};
}

std::optional<ResultReview> of_repetition(const std::vector<const Entry*>& turns, const ResultHead& head) {
  std::size_t same = 1;
  for (std::size_t i = 1; i < turns.size(); ++i) {
    same = says_the_same(*turns[i], *turns[i - 1]) ? same + 1 : 1;
    if (same < same_turns_min) continue;
    const FaultSource source = head.tester == "script" ? FaultSource::test : FaultSource::tester;
    ResultReview review{
        false, source, "The tester said the same in " + counted(same, "turn") + " running.", {}};
    for (std::size_t k = i + 1 - same; k <= i; ++k) review.evidence.push_back(turns[k]->id);
    return review;
  }
  return std::nullopt;
}

bool is_name_of_something(const Mention& mention) {
  return mention.kind == ClaimKind::id || mention.kind == ClaimKind::email || mention.kind == ClaimKind::url;
}

/// Applies only to a model tester, because a script cannot invent anything.
std::optional<ResultReview> of_invention(const ReviewedResult& result) {
  if (result.head.tester != "model") return std::nullopt;
  std::set<std::string> known;
  const auto learn = [&](std::string_view text) {
    for (const Mention& mention : values_in(text)) known.insert(mention.value);
  };
  learn(result.asked.instruction);
  for (const Entry& entry : result.entries) {
    const std::string_view text = entry.content ? std::string_view(*entry.content) : std::string_view();
    if (entry.role == Role::tester && entry.type == EntryType::message) {
      for (const Mention& mention : values_in(text)) {
        if (!is_name_of_something(mention) || known.contains(mention.value)) continue;
        return ResultReview{false,
                            FaultSource::tester,
                            "The tester named " +
                                in_quotes(text.substr(mention.begin, mention.end - mention.begin)) +
                                ", which neither its instruction nor the chatbot had given it.",
                            {entry.id}};
      }
    }
    learn(text);
    // The tester sees public events.
    if (entry.type == EntryType::public_event) learn(entry.metadata.text);
  }
  return std::nullopt;
}

ResultReview of_completed(const ReviewedResult& result) {
  if (result.entries.empty())
    return void_trial(FaultSource::client, "Nothing was recorded, so nothing was tried.");
  if (const auto where = unfilled(result.asked))
    return void_trial(FaultSource::test, "A {{key}} was never replaced in " + *where + ".");
  if (auto undecided = of_undecided(result)) return *undecided;

  const AssertionResult* failed = nullptr;
  for (const AssertionResult& one : result.verdict) {
    if (failed == nullptr && one.status == AssertionStatus::failed) failed = &one;
  }
  if (failed == nullptr) return {true, std::nullopt, "A valid trial: nothing that was asked for failed.", {}};
  const auto turns = tester_turns(result.entries);
  if (auto blank = of_blank_turn(turns)) return *blank;
  if (auto repetition = of_repetition(turns, result.head)) return *repetition;
  if (auto invention = of_invention(result)) return *invention;

  ResultReview review{true,
                      FaultSource::agent,
                      "A valid trial: " + in_quotes(failed->assertion.name.value_or(failed->assertion.type)) +
                          " failed, and no rule finds the fault elsewhere.",
                      {}};
  for (const std::string& id : failed->evidence) {
    if (const auto read = id_from_text(id)) review.evidence.push_back(*read);
  }
  return review;
}

}  // namespace

ResultReview review(const ReviewedResult& result) {
  switch (result.head.status) {
    case ResultStatus::canceled:
      return {false, std::nullopt, "The result was canceled, so it is not a valid trial.", {}};
    case ResultStatus::failed: return of_failed(result.head);
    case ResultStatus::pending:
    case ResultStatus::running:
    case ResultStatus::completed: break;
  }
  return of_completed(result);
}

bool is_open_to_model(const ReviewedResult& result, const ResultReview& review) {
  return result.head.status == ResultStatus::completed && review.valid &&
         review.fault_source == FaultSource::agent;
}

std::optional<FaultSource> undecided_fault(std::span<const AssertionResult> verdict, bool is_decided) {
  if (is_decided) return std::nullopt;
  const AssertionResult* open = undecided_one(verdict);
  return open == nullptr ? FaultSource::judge : fault_of(*open);
}

json::Text shown_review(const ResultReview& review) {
  json::Writer writer;
  writer.begin_object().key("valid").boolean(review.valid).key("faultSource");
  review.fault_source ? writer.string(word_of(*review.fault_source)) : writer.null();
  writer.member("reason", review.reason).key("evidence").begin_array();
  for (const Id& id : review.evidence) writer.string(to_text(id));
  writer.end_array();
  writer.member("by", word_of(review.by)).key("judge");
  review.judge ? writer.raw(review.judge->text) : writer.null();
  writer.end_object();
  return {std::move(writer).text()};
}

std::vector<AssertionResult> results_of(const ResultVerdict& verdict) {
  std::vector<AssertionResult> results;
  if (!parse_stored_list(verdict.assertion_results.text, results)) results.clear();
  return results;
}

}  // namespace parley::scoring
