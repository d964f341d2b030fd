#include "actors/deletion.hpp"

#include <algorithm>
#include <string>

#include "store/list.hpp"
#include "store/unique_name.hpp"

namespace parley::actors {
namespace {

/// Bounds of one change set, so that other writes do not wait long for it.
constexpr std::int64_t results_a_step = 200;
constexpr std::uint32_t entries_a_step = 10'000;

Problem still_going(std::string_view what) {
  return problem(ProblemKind::conflict, std::string(what) + " is still going; cancel it first");
}

/// The run goes on without the result: it waits for one case less of its test, as nobody may make that case again (D44).
Result<Done> leave_run(const store::Snapshot& snapshot, const ResultHead& head, Time now,
                       store::ChangeSet& changes) {
  if (!head.run) return Done{};
  TRY(run, snapshot.find<Run>(head.run->id));
  if (!run) return Done{};
  TRY(cases, snapshot.run_cases(run->stamp.id));
  const auto its_case = std::find_if(cases.begin(), cases.end(), [&](const ExpectedCase& one) {
    return head.test && one.test == head.test->id && one.count > 0;
  });
  if (run->expected == 0 || head.retired_by || its_case == cases.end()) {
    changes.guard_revision(*run);
    return Done{};
  }
  --its_case->count;
  changes.put_run_cases(run->stamp.id, cases);
  Run after = *run;
  --after.expected;
  after.stamp.updated_at = std::max(now, Time{run->stamp.updated_at.ms + 1});
  changes.replace(*run, after);
  return Done{};
}

/// Takes away results of the run, at most a step's worth; true when none is left.
Result<bool> erase_results(const store::Snapshot& snapshot, const Id& run, store::ChangeSet& changes) {
  std::uint32_t entries = 0;
  for (const bool archived : {false, true}) {
    store::ListQuery query{};
    query.kind = RecordKind::test_result;
    query.filters.push_back({store::Facet::run, {store::value_of(run)}});
    query.archived = archived;
    query.limit = results_a_step;
    TRY(page, store::list(snapshot, query));
    for (const Id& id : page.ids) {
      TRY(head, snapshot.find<ResultHead>(id));
      CHECK(head.has_value());
      if (!is_terminal(head->status)) return still_going("a result of the run");
      const std::uint32_t count = snapshot.entry_count(id);
      if (entries > 0 && entries + count > entries_a_step) return false;
      entries += count;
      changes.erase_result(*head, count);
    }
    if (page.total > results_a_step) return false;
  }
  return true;
}

}  // namespace

Result<Deletion> deletion_of(const store::Snapshot& snapshot, const ResultHead& head, Time now) {
  if (!is_terminal(head.status)) return still_going("the test result");
  Deletion deletion;
  TRY(left, leave_run(snapshot, head, now, deletion.changes));
  deletion.changes.erase_result(head, snapshot.entry_count(head.stamp.id));
  return deletion;
}

Result<Deletion> deletion_of(const store::Snapshot& snapshot, const Run& run) {
  if (!is_terminal(run.status)) return still_going("the run");
  Deletion deletion;
  TRY(is_last, erase_results(snapshot, run.stamp.id, deletion.changes));
  deletion.is_last = is_last;
  if (is_last) {
    deletion.changes.erase_run(run);
  } else {
    deletion.changes.guard_revision(run);  // a retry that re-opens it meanwhile must be seen
  }
  return deletion;
}

Deletion deletion_of(const ExternalLog& log) {
  Deletion deletion;
  deletion.changes.erase(log);
  deletion.changes.release_unique(store::Namespace::external_id, store::unique_name(log.external_id));
  return deletion;
}

}  // namespace parley::actors
