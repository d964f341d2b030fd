#include "client/playing/until_decided.hpp"

#include <algorithm>
#include <map>

#include "client/gate/comparison.hpp"
#include "client/remote/stop_request.hpp"

namespace parley::client {
namespace {

constexpr int rounds_max = 20;

/// Returns the name that a comparison uses for the cell.
std::string name_in_comparison(const ChosenCell& cell) {
  ResultRow row;
  row.name = plain_name(*cell.test);
  if (!cell.test->variant.empty()) row.variant = cell.test->variant;
  if (cell.persona != nullptr) row.persona = cell.persona->name;
  row.agent = cell.agent->name;
  return compared_name(row);
}

std::map<std::string, std::int64_t> repetitions_of(const Report& report) {
  std::map<std::string, std::int64_t> counts;
  for (const ResultRow& each : report.results) ++counts[compared_name(each)];
  return counts;
}

/// Returns the undecided cells that more repetitions would decide, with the number of repetitions that the comparison
/// asks for.
std::vector<ChosenCell> open_cells(const Rounds& rounds, const std::vector<ComparedRun>& compared,
                                   const Report& report) {
  const auto played = repetitions_of(report);
  std::vector<ChosenCell> open;
  for (const ComparedRun& run : compared) {
    for (const ComparedTest& test : run.tests) {
      if (test.change != "undecided" || !test.further_repetitions) continue;
      const auto cell = std::find_if(rounds.cells.begin(), rounds.cells.end(), [&](const ChosenCell& each) {
        return name_in_comparison(each) == test.name;
      });
      const auto have = played.find(test.name);
      if (cell == rounds.cells.end() || have == played.end()) continue;
      ChosenCell again = *cell;
      again.repeat = std::min(*test.further_repetitions, rounds.repetitions_max - have->second);
      if (again.repeat > 0) open.push_back(again);
    }
  }
  return open;
}

void join(Played& all, Played round) {
  const auto earlier = repetitions_of(all.report);
  for (ResultRow& row : round.report.results) {
    const auto have = earlier.find(compared_name(row));
    if (have != earlier.end()) row.repetition += have->second;
    all.report.results.push_back(std::move(row));
  }
  all.report.runs.insert(all.report.runs.end(), round.report.runs.begin(), round.report.runs.end());
  all.runs.insert(all.runs.end(), round.runs.begin(), round.runs.end());
  all.notes.insert(all.notes.end(), round.notes.begin(), round.notes.end());
  all.report.seconds += round.report.seconds;
  all.report.usd.agent += round.report.usd.agent;
  all.report.usd.tester += round.report.usd.tester;
  all.report.usd.judge += round.report.usd.judge;
  add(all.calls, round.calls);
  all.stopped = round.stopped;
}

}  // namespace

Expected<Done> play_until_decided(const Rounds& rounds, const std::string& baseline, Played& played) {
  for (int round = 0; round < rounds_max && played.stopped.empty() && stop_exit_code() == 0; ++round) {
    TRY(compared, compared_with(&rounds.api, played.report, played.runs, baseline, &rounds.records.names));
    const std::vector<ChosenCell> open = open_cells(rounds, compared, played.report);
    if (open.empty()) return Done{};
    rounds.screen.begin(std::to_string(open.size()) + (open.size() == 1 ? " test is" : " tests are") +
                        " not decided against the baseline: " + std::to_string(cases_of(open)) +
                        " more cases");
    PlayOptions options = rounds.options;
    options.used.add(played.report);  // the bounds apply to all rounds together
    options.group_id = played.group_id;
    TRY(more, play(rounds.api, rounds.suite, rounds.records, open, options, rounds.screen, rounds.listener));
    std::optional<Problem> failure = more.failure;
    join(played, std::move(more));
    if (failure) return std::move(*failure);
  }
  return Done{};
}

}  // namespace parley::client
