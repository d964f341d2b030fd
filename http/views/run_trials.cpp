#include "http/views/run_trials.hpp"

#include <algorithm>
#include <map>

#include "http/exchange/page.hpp"
#include "model/limits.hpp"

namespace parley::http {
namespace {

struct Trial {
  Id first_attempt;  ///< a retry takes the place of the result that it replaces
  std::optional<bool> outcome;
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
    trials[{head->test->id, personality}].push_back({first, outcome_of(*head)});
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

}  // namespace

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
  }
  return paired;
}

}  // namespace parley::http
