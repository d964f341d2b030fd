#include "client/gate/comparison.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "scoring/two_proportions.hpp"

namespace parley::client {
namespace {

constexpr scoring::Demand demand{0.05, 0.8};
/// More repetitions would cost more than the answer is worth.
constexpr std::int64_t further_repetitions_max = 10'000;

std::string key_of(const ResultRow& row) {
  return row.scenario + '\0' + row.test + '\0' + row.variant.value_or("") + '\0' + row.persona.value_or("");
}

struct Pair {
  std::string name;
  scoring::TwoSamples samples;
  std::int64_t cases_before = 0;
  std::int64_t cases_after = 0;
};

void count(scoring::Repetitions& trials, const ResultRow& row) {
  if (row.state != CaseState::passed && row.state != CaseState::failed) return;
  ++trials.runs;
  if (row.state == CaseState::passed) ++trials.passed;
}

double rate_of(const scoring::Repetitions& trials) {
  return static_cast<double>(trials.passed) / static_cast<double>(trials.runs);
}

/// Returns how many more repetitions would decide, if the outcomes continue as before. Nullopt if too many are
/// needed.
std::optional<std::int64_t> further_repetitions(scoring::BoschlooTest& test,
                                                const scoring::TwoSamples& samples) {
  if (!samples.is_comparable()) return std::nullopt;
  const auto needed = test.repetitions_needed({rate_of(samples.before), rate_of(samples.after)}, demand);
  if (!needed || *needed > further_repetitions_max) return std::nullopt;
  return std::max<std::int64_t>(1, *needed - std::min(samples.before.runs, samples.after.runs));
}

/// Whether the runs left out tests on purpose. Several shards together count as the whole suite: a test that is
/// missing from all of them was not played.
bool is_part(const Report& report) {
  std::set<std::string> shards;
  for (const RunRow& each : report.runs) {
    if (each.part == "selection") return true;
    shards.insert(each.part);
  }
  return shards.size() == 1 && !shards.begin()->empty();
}

}  // namespace

std::string compared_name(const ResultRow& row) {
  return label_of(row) + " · " + row.agent;
}

ComparedRun compare_reports(const Report& before, const Report& after, std::string name_of_baseline) {
  // If each side has one agent, they need not be the same: the later one may be a candidate that replaces the
  // earlier.
  const auto agents = [](const Report& report) {
    std::map<std::string, int> names;
    for (const ResultRow& each : report.results) names[each.agent] = 1;
    return names.size();
  };
  const bool by_agent = agents(before) > 1 || agents(after) > 1;
  std::map<std::string, Pair> pairs;
  std::vector<std::string> order;
  const auto pair_of = [&](const ResultRow& row) -> Pair& {
    const std::string key = key_of(row) + (by_agent ? '\0' + row.agent : "");
    const auto [place, is_new] = pairs.try_emplace(key);
    if (is_new) {
      place->second.name = compared_name(row);
      order.push_back(key);
    }
    return place->second;
  };
  for (const ResultRow& each : after.results) {
    Pair& pair = pair_of(each);
    ++pair.cases_after;
    count(pair.samples.after, each);
  }
  for (const ResultRow& each : before.results) {
    Pair& pair = pair_of(each);
    ++pair.cases_before;
    count(pair.samples.before, each);
  }
  scoring::BoschlooTest exact;
  std::vector<double> p_values;
  for (const std::string& key : order) p_values.push_back(exact.p(pairs[key].samples));
  const std::vector<double> adjusted = scoring::false_discovery_adjusted(p_values);
  ComparedRun compared{std::move(name_of_baseline), {}, {}, ""};
  const bool leaves_out = is_part(after);
  for (std::size_t i = 0; i < order.size(); ++i) {
    const Pair& pair = pairs[order[i]];
    if (pair.cases_after < pair.cases_before && !(leaves_out && pair.cases_after == 0))
      compared.played_less.push_back(pair.name + ": " + std::to_string(pair.cases_after) +
                                     ", in the baseline " + std::to_string(pair.cases_before));
    if (pair.cases_before == 0 || pair.cases_after == 0) continue;
    const auto& [before_trials, after_trials] = pair.samples;
    ComparedTest test{pair.name,           "unchanged",       before_trials.passed, before_trials.runs,
                      after_trials.passed, after_trials.runs, p_values[i],          std::nullopt};
    if (!pair.samples.is_equal() || !pair.samples.is_comparable()) {
      const bool is_sure = adjusted[i] <= demand.level;
      test.change = !is_sure ? "undecided" : test.is_worse() ? "regressed" : "fixed";
    }
    if (test.change == "undecided") test.further_repetitions = further_repetitions(exact, pair.samples);
    compared.tests.push_back(std::move(test));
  }
  return compared;
}

}  // namespace parley::client
