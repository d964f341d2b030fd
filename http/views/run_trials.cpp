#include "http/views/run_trials.hpp"

#include <algorithm>
#include <map>

#include "http/lists/page.hpp"
#include "model/limits.hpp"

namespace parley::http {
namespace {

struct Trial {
  Id first_attempt;  ///< a retry replaces the result that it repeats
  std::optional<bool> outcome;
  DecidedResult result;
};
using Trials = std::map<ComparedTest, std::vector<Trial>>;

std::optional<bool> outcome_of(const ResultHead& head) {
  if (!head.has_outcome()) return std::nullopt;
  return head.overall_passed;
}

Expected<Trials> trials_of(const store::Snapshot& snapshot, const Id& run) {
  store::ListQuery query = list_of(RecordKind::test_result);
  add_filter(query, store::Facet::run, {store::value_of(run)});
  query.retired = store::Retired::left_out;
  TRY(ids, store::all_ids(snapshot, query));
  if (ids.size() > limits::compared_results_max) {
    return problem(ProblemKind::conflict, "a run with more than 40000 results cannot be compared");
  }
  Trials trials;
  for (const Id& id : ids) {
    TRY(head, snapshot.find<ResultHead>(id));
    if (!head) return snapshot.report(store::TableId::result_heads, id.key());
    if (!head->test) continue;
    const Id personality = head->personality ? head->personality->id : Id{};
    const Id first = head->lineage ? id_from_text(*head->lineage).value_or(id) : id;
    trials[{head->test->id, personality}].push_back({first, outcome_of(*head), {id, head->rescored}});
  }
  for (auto& [test, list] : trials) {
    std::sort(list.begin(), list.end(),
              [](const Trial& a, const Trial& b) { return a.first_attempt < b.first_attempt; });
  }
  return trials;
}

std::optional<bool> outcome_at(const std::vector<Trial>& trials, std::size_t i) {
  return i < trials.size() ? trials[i].outcome : std::nullopt;
}

std::vector<DecidedResult> decided_of(const std::vector<Trial>& trials) {
  std::vector<DecidedResult> decided;
  for (const Trial& trial : trials) {
    if (trial.outcome) decided.push_back(trial.result);
  }
  return decided;
}

/// Whether an assertion held in the results read so far.
struct Held {
  bool in_all = true;
  bool in_none = true;
};
using HeldById = std::map<std::string, Held, std::less<>>;

struct Assertions {
  HeldById held;
  std::map<std::string, ChangedAssertion, std::less<>> shown;
};

Expected<Done> read_verdict(const store::Snapshot& snapshot, const DecidedResult& result, Assertions& into,
                            bool is_first) {
  TRY(verdict, snapshot.verdict(result.id, result.rescored));
  if (!verdict) return Done{};
  const auto document = json::parse(verdict->assertion_results.text);
  if (!document) return Done{};
  HeldById held;
  for (const json::Value& row : document->root().children()) {
    const auto id = row.find("id");
    const auto status = row.find("status");
    if (!id || !status || !id->is(json::Kind::string)) continue;
    const bool has_passed = status->string() == "passed";
    const bool has_failed = status->string() == "failed";
    const std::string key(id->string());
    const auto known = into.held.find(key);
    const Held before = is_first || known == into.held.end() ? Held{is_first, is_first} : known->second;
    held[key] = {before.in_all && has_passed, before.in_none && has_failed};
    if (!is_first) continue;
    const auto name = given(row, "name");
    into.shown[key] = {key, std::string(row.find("type") ? row.find("type")->string() : ""),
                       name ? std::optional(std::string(name->string())) : std::nullopt};
  }
  into.held = std::move(held);  // an assertion that one result lacks held in neither all nor none
  return Done{};
}

/// Whether an assertion may still have changed, if the remaining results agree.
bool may_differ(const Assertions& before, const Assertions& after) {
  return std::any_of(before.held.begin(), before.held.end(), [&](const auto& each) {
    const auto other = after.held.find(each.first);
    return other != after.held.end() &&
           ((each.second.in_all && other->second.in_none) || (each.second.in_none && other->second.in_all));
  });
}

}  // namespace

Expected<ChangedAssertions> changed_assertions(const store::Snapshot& snapshot,
                                               const std::vector<DecidedResult>& before,
                                               const std::vector<DecidedResult>& after) {
  ChangedAssertions changed;
  if (before.empty() || after.empty()) return changed;
  Assertions earlier;
  Assertions later;
  // Most tests changed nothing, which the first results show. The others are read only while a change is possible.
  for (std::size_t i = 0; i < std::max(before.size(), after.size()); ++i) {
    if (i < before.size()) TRY_DONE(read_verdict(snapshot, before[i], earlier, i == 0));
    if (i < after.size()) TRY_DONE(read_verdict(snapshot, after[i], later, i == 0));
    if (!may_differ(earlier, later)) return changed;
  }
  for (const auto& [id, held] : earlier.held) {
    const auto other = later.held.find(id);
    if (other == later.held.end()) continue;
    if (held.in_all && other->second.in_none) changed.newly_failing.push_back(later.shown.at(id));
    if (held.in_none && other->second.in_all) changed.newly_passing.push_back(later.shown.at(id));
  }
  return changed;
}

Expected<PairedRuns> paired_runs(const store::Snapshot& snapshot, const Id& before, const Id& after) {
  TRY(first, trials_of(snapshot, before));
  TRY(second, trials_of(snapshot, after));
  for (const auto& [test, list] : first) second.try_emplace(test);
  PairedRuns paired;
  for (const auto& [test, later] : second) {
    const std::vector<Trial>& earlier = first[test];
    for (std::size_t i = 0; i < std::max(earlier.size(), later.size()); ++i) {
      paired.trials.push_back({paired.tests.size(), outcome_at(earlier, i), outcome_at(later, i)});
    }
    paired.tests.push_back(test);
    paired.decided_before.push_back(decided_of(earlier));
    paired.decided_after.push_back(decided_of(later));
  }
  return paired;
}

}  // namespace parley::http
