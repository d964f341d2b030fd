#include "http/views/run_view.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <optional>
#include <unordered_map>

#include "http/views/link.hpp"
#include "model/values/metadata.hpp"
#include "scoring/statistics.hpp"

namespace parley::http {
namespace {

/// A larger k adds no information and would enlarge the row of a test with 1,000 repetitions.
constexpr std::int64_t k_max = 10;

void write_number(json::Writer& out, std::string_view name, const std::optional<double>& value) {
  out.key(name);
  if (value) {
    out.number(*value);
  } else {
    out.null();
  }
}

/// The outcomes of decided results.
struct Decided {
  std::int64_t count = 0;
  std::int64_t passed = 0;
  std::int64_t score_sum = 0;
};

/// Writes the mean score, rounded half up (D34, D35); null if no result is decided.
void write_score(json::Writer& out, const Decided& decided) {
  out.key("score");
  if (decided.count > 0) {
    out.integer((2 * decided.score_sum + decided.count) / (2 * decided.count));
  } else {
    out.null();
  }
  out.key("passRate");
  if (decided.count > 0) {
    out.number(static_cast<double>(decided.passed) / static_cast<double>(decided.count));
  } else {
    out.null();
  }
}

/// Writes the agent's score without retries, and the causes of the retries.
void write_attempts(json::Writer& out, const store::RunCounters& counters) {
  const store::FirstAttempts& first = counters.first;
  out.key("firstAttempts").begin_object();
  write_score(out, {first.decided(), first.passed, first.score_sum});
  out.key("total").integer(first.total);
  out.key("passed").integer(first.passed);
  out.key("notPassed").integer(first.not_passed);
  out.end_object();
  out.key("retries").begin_object();
  out.key("total").integer(
      std::accumulate(counters.retries.begin(), counters.retries.end(), std::int64_t{0}));
  for (std::size_t i = 0; i < counters.retries.size(); ++i) {
    out.key(Words<RetryCause>::all.at(i)).integer(counters.retries.at(i));
  }
  out.end_object();
}

/// Writes how many results have each warning; warnings that do not occur are left out.
void write_warning_counts(json::Writer& out, const store::RunCounters& counters) {
  out.key("warnings").begin_object();
  for (std::size_t i = 0; i < warning_codes; ++i) {
    if (counters.warnings.at(i) != 0)
      out.key(word_of(static_cast<WarningCode>(i))).integer(counters.warnings.at(i));
  }
  out.end_object();
}

void write_tokens(json::Writer& out, std::string_view name, const store::Tally& tally) {
  out.key(name);
  if (tally.count == 0) {
    out.null();
  } else {
    out.integer(std::llround(tally.sum()));
  }
}

void write_use(json::Writer& out, std::string_view role, const store::UseSums& use) {
  out.key(role).begin_object();
  out.key("calls").integer(use.calls);
  write_tokens(out, "inputTokens", use.input_tokens);
  write_tokens(out, "outputTokens", use.output_tokens);
  write_number(out, "cost", use.cost.count == 0 ? std::nullopt : std::optional(use.cost.sum()));
  out.end_object();
}

/// The usage of agent, tester and judge over all results of the run (D103).
Expected<std::string> usage_of(const store::Snapshot& snapshot, const Run& run) {
  TRY(counters, snapshot.run_counters(run.stamp.id));
  json::Writer out;
  out.begin_object();
  write_use(out, "agent", counters.agent);
  write_use(out, "tester", counters.tester);
  write_use(out, "judge", counters.judge);
  out.end_object();
  return std::move(out).text();
}

void write_counts(json::Writer& out, const store::RunCounters& counters) {
  out.key("pending").integer(counters.pending);
  out.key("running").integer(counters.running);
  out.key("completed").integer(counters.completed);
  out.key("failed").integer(counters.failed);
  out.key("canceled").integer(counters.canceled);
  out.key("passed").integer(counters.passed);
  out.key("notPassed").integer(counters.not_passed);
  out.key("undecided").integer(counters.undecided);
}

void write_range(json::Writer& out, std::string_view name, const scoring::Interval& range) {
  out.key(name).begin_object();
  out.key("low").number(range.low);
  out.key("high").number(range.high);
  out.end_object();
}

/// Writes the figures that show how reliable the pass rate is. An expected case without a result counts as undecided,
/// like a failed result.
void write_trust(json::Writer& out, const store::RunCounters& counters, std::int64_t missing) {
  const std::int64_t all = counters.total() + missing;
  const scoring::Rate rate =
      scoring::rate_of({counters.passed, counters.not_passed, all - counters.decided()});
  out.key("coverage").number(rate.coverage);
  write_range(out, "interval", rate.interval);
  write_range(out, "bounds", rate.bounds);
}

/// Writes pass@k and pass^k of the run: means over the tests with at least k decided results.
void write_pass_k(json::Writer& out, const std::vector<scoring::Repetitions>& tests) {
  out.key("passK").begin_array();
  for (std::int64_t k = 1; k <= k_max; ++k) {
    double at_k = 0;
    double hat_k = 0;
    std::int64_t count = 0;
    for (const scoring::Repetitions& counts : tests) {
      const auto at = scoring::pass_at_k(counts, k);
      const auto hat = scoring::pass_hat_k(counts, k);
      if (!at || !hat) continue;
      ++count;
      at_k += *at;
      hat_k += *hat;
    }
    if (count == 0) break;
    out.begin_object();
    out.key("k").integer(k);
    out.key("tests").integer(count);
    out.key("passAtK").number(at_k / static_cast<double>(count));
    out.key("passHatK").number(hat_k / static_cast<double>(count));
    out.end_object();
  }
  out.end_array();
}

/// Totals over the cases of a run, from one pass over their counters.
struct Tests {
  std::vector<Repetition> rows;
  std::vector<Id> flaky;
  std::vector<scoring::Repetitions> counts;
  std::int64_t missing =
      0;  ///< results that expected cases still lack; extra results of one test do not compensate for another
};

/// The number of results that each test of the run is expected to have; empty if none can be missing.
Expected<std::unordered_map<Id, std::int64_t>> wanted_results(const store::Snapshot& snapshot,
                                                              const Run& run) {
  std::unordered_map<Id, std::int64_t> wanted;
  if (run.expected == 0 || run.status == RunStatus::completed) return wanted;
  TRY(cases, snapshot.run_cases(run.stamp.id));
  for (const ExpectedCase& one : cases) wanted[one.test] += one.count;
  return wanted;
}

Expected<Tests> tests_of(const store::Snapshot& snapshot, const Run& run) {
  TRY(wanted, wanted_results(snapshot, run));
  Tests tests;
  for (const auto& [test, count] : wanted) tests.missing += count;
  TRY(walked, snapshot.for_each_case(run.stamp.id, [&](const Id& test, const store::CaseCounters& counters) {
    if (const auto found = wanted.find(test); found != wanted.end())
      tests.missing -= std::min(found->second, counters.total);
    if (test.is_nil()) return;
    tests.counts.push_back({counters.decided, counters.passed});
    if (counters.total > 1 && tests.rows.size() < limits::repetition_rows_max)
      tests.rows.push_back({test, counters.decided, counters.passed});
    if (scoring::is_flaky(tests.counts.back()) && tests.flaky.size() < limits::repetition_rows_max)
      tests.flaky.push_back(test);
  }));
  static_cast<void>(walked);
  return tests;
}

void write_tests(json::Writer& out, const Tests& tests, const Linker& linker) {
  write_pass_k(out, tests.counts);
  out.key("flaky").begin_array();
  for (const Id& test : tests.flaky) linker.append(out, RecordKind::test, test);
  out.end_array();
  out.key("repetitions").begin_array();
  for (const Repetition& row : tests.rows) write_repetition(out, row, linker);
  out.end_array();
}

}  // namespace

void write_averages(json::Writer& out, const store::RunCounters& counters) {
  out.begin_object();
  write_number(out, "responseTime", counters.response_time.mean());
  write_number(out, "inputTokens", counters.input_tokens.mean());
  write_number(out, "outputTokens", counters.output_tokens.mean());
  write_number(out, "cost", counters.cost.mean());
  out.end_object();
}

Expected<std::vector<Repetition>> repetitions_of(const store::Snapshot& snapshot, const Id& run) {
  std::vector<Repetition> rows;
  auto walked = snapshot.for_each_case(run, [&](const Id& test, const store::CaseCounters& counters) {
    if (!test.is_nil() && counters.total > 1) rows.push_back({test, counters.decided, counters.passed});
  });
  if (!walked) return std::move(walked).problem();
  return rows;
}

void sort_repetitions(std::vector<Repetition>& rows, std::string_view by, bool is_ascending) {
  const auto key = [by](const Repetition& row) {
    std::int64_t figure = 0;
    if (by == "runs") figure = row.runs;
    if (by == "passed") figure = row.passed;
    if (by == "flaky") figure = scoring::is_flaky({row.runs, row.passed}) ? 1 : 0;
    return std::pair(figure, row.test);
  };
  std::sort(rows.begin(), rows.end(), [&](const Repetition& a, const Repetition& b) {
    return is_ascending ? key(a) < key(b) : key(b) < key(a);
  });
}

void write_repetition(json::Writer& out, const Repetition& row, const Linker& linker) {
  const scoring::Repetitions counts{row.runs, row.passed};
  out.begin_object();
  out.key("test");
  linker.append(out, RecordKind::test, row.test);
  out.key("runs").integer(row.runs);
  out.key("passed").integer(row.passed);
  out.key("flaky").boolean(scoring::is_flaky(counts));
  out.key("passAtK").begin_object();
  for (std::int64_t k = 1; k <= std::min(row.runs, k_max); ++k) {
    write_number(out, std::to_string(k), scoring::pass_at_k(counts, k));
  }
  out.end_object();
  out.key("passHatK").begin_object();
  for (std::int64_t k = 1; k <= std::min(row.runs, k_max); ++k) {
    write_number(out, std::to_string(k), scoring::pass_hat_k(counts, k));
  }
  out.end_object();
  out.end_object();
}

Expected<json::Text> run_result(const store::Snapshot& snapshot, const Run& run, WriteMode mode,
                                const Linker& linker) {
  TRY(counters, snapshot.run_counters(run.stamp.id));
  const bool is_computed = run.is_launched || counters.total() > 0;
  if (!is_computed) return mode == WriteMode::minimal ? json::Text{} : run.result;
  json::Writer out;
  out.begin_object();
  write_score(out, {counters.decided(), counters.passed, counters.score_sum});
  out.key("total").integer(counters.total());
  if (mode == WriteMode::minimal) {
    out.end_object();
    return json::Text{std::move(out).text()};
  }
  TRY(tests, tests_of(snapshot, run));
  write_trust(out, counters, tests.missing);
  write_counts(out, counters);
  write_warning_counts(out, counters);
  out.key("averages");
  write_averages(out, counters);
  write_attempts(out, counters);
  write_tests(out, tests, linker);
  out.end_object();
  return merged(run.result, json::Text{std::move(out).text()});
}

Expected<Done> write_run(json::Writer& out, const store::Snapshot& snapshot, const Run& run, WriteMode mode,
                         const Linker& linker) {
  TRY(result, run_result(snapshot, run, mode, linker));
  out.begin_object();
  RecordWriter writer(out, mode, &linker);
  writer.show_as("result", std::move(result.text));
  if (mode == WriteMode::full) {
    TRY(usage, usage_of(snapshot, run));
    writer.show_as("usage", std::move(usage));
  }
  Run::describe(run, writer);
  out.end_object();
  return Done{};
}

Expected<std::string> run_json(const store::Snapshot& snapshot, const Run& run) {
  const SnapshotLinker linker(snapshot);
  json::Writer out;
  if (auto written = write_run(out, snapshot, run, WriteMode::full, linker); !written) {
    return std::move(written).problem();
  }
  return std::move(out).text();
}

}  // namespace parley::http
