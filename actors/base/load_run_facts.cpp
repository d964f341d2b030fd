#include "actors/base/load_run_facts.hpp"

namespace parley::actors {
namespace {

/// Results read in one step.
constexpr std::size_t ids_step = 1'000;

/// Records of older parley versions have no `has_run`; for them only these end reasons prove that the result
/// ran.
bool has_run(const ResultHead& head) {
  if (head.has_run.value_or(false)) return true;
  if (head.status != ResultStatus::failed || !head.end_reason) return false;
  return *head.end_reason == EndReason::action_error || *head.end_reason == EndReason::tester_error;
}

}  // namespace

Expected<RunFacts> load_facts(const store::Snapshot& snapshot, const Run& run) {
  TRY(counters, snapshot.run_counters(run.stamp.id));
  RunFacts facts;
  facts.total = counters.total();
  facts.live = counters.live;
  facts.has_started = counters.running > 0 || counters.completed > 0;
  facts.may_have_started = counters.failed > 0 || counters.canceled > 0;
  facts.has_every_case = run.expected == 0;
  // The list of cases is read only if the sums allow a complete run.
  if (run.expected == 0 || facts.live > 0 || facts.total < run.expected) return facts;
  TRY(cases, snapshot.run_cases(run.stamp.id));
  for (const ExpectedCase& expected : cases) {
    TRY(reached, snapshot.case_counters(run.stamp.id, expected.test));
    if (reached.terminal < expected.count) return facts;
  }
  facts.has_every_case = true;
  return facts;
}

Expected<bool> has_run_before(const store::Snapshot& snapshot, const Id& run) {
  for (const store::Shelf shelf : store::all_shelves) {
    const store::Slice results{RecordKind::test_result, store::Facet::run, store::value_of(run), shelf};
    for (Id after; true;) {
      const auto ids = snapshot.ids_in(results, after, ids_step);
      if (ids.empty()) break;
      after = ids.back();
      for (const Id& id : ids) {
        TRY(head, snapshot.find<ResultHead>(id));
        if (!head) return snapshot.report(store::TableId::result_heads, id.key());
        if (has_run(*head)) return true;
      }
    }
  }
  return false;
}

Expected<RunFacts> load_all_facts(const store::Snapshot& snapshot, const Run& run) {
  TRY(facts, load_facts(snapshot, run));
  if (run.status == RunStatus::running || facts.has_started || !facts.may_have_started) return facts;
  TRY(has_run, has_run_before(snapshot, run.stamp.id));
  facts.has_started = has_run;
  return facts;
}

}  // namespace parley::actors
