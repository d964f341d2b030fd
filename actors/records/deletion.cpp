#include "actors/records/deletion.hpp"

#include <algorithm>
#include <string>

#include "actors/run/run_loading.hpp"
#include "store/engine/encoding.hpp"
#include "store/list.hpp"

namespace parley::actors {
namespace {

/// A run with more rows is deleted without its texts at first, because they have many times as many rows.
/// Other writes still wait while the heads are deleted: 310 ms were measured for 20,000 results, the maximum
/// of one launch.
constexpr std::uint64_t rows_at_once = 10'000;

Problem still_going(std::string_view what) {
  return problem(ProblemKind::conflict, std::string(what) + " has not ended; cancel it first");
}

/// The run continues without the result. It expects one case fewer of the result's test, because no client
/// may create that case again (D44).
Expected<Done> leave_run(const store::Snapshot& snapshot, const ResultHead& head, Time now,
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

/// A result to delete, and the number of its entries.
struct Doomed {
  ResultHead head;
  std::uint32_t entries = 0;
};

/// A deleted result cannot be retried, so if it was the newest of its lineage, the lineage is deleted too.
Expected<Done> leave_lineage(const store::Snapshot& snapshot, const ResultHead& head,
                             store::ChangeSet& changes) {
  const Id root = head.lineage ? id_from_text(*head.lineage).value_or(head.stamp.id) : head.stamp.id;
  TRY(lineage, snapshot.lineage(root));
  if (lineage && lineage->newest == head.stamp.id) changes.erase_lineage(root, lineage->revision);
  return Done{};
}

Expected<std::vector<Doomed>> results_of(const store::Snapshot& snapshot, const Id& run) {
  std::vector<Doomed> all;
  for (const store::Shelf shelf : store::all_shelves) {
    const store::Slice slice{RecordKind::test_result, store::Facet::run, store::value_of(run), shelf};
    for (const Id& id : snapshot.ids_in(slice, {}, SIZE_MAX)) {
      TRY(head, snapshot.find<ResultHead>(id));
      if (!head) return snapshot.report(store::TableId::result_heads, id.key());
      if (!is_terminal(head->status)) return still_going("a result of the run");
      all.push_back({*std::move(head), snapshot.entry_count(id)});
    }
  }
  return all;
}

}  // namespace

Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const ResultHead& head, Time now) {
  if (!is_terminal(head.status)) return still_going("the test result");
  store::ChangeSet changes;
  TRY(left, leave_run(snapshot, head, now, changes));
  TRY(forgotten, leave_lineage(snapshot, head, changes));
  changes.erase_result(head, snapshot.entry_count(head.stamp.id));
  return changes;
}

Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const Run& run) {
  TRY(facts, load_facts(snapshot, run));
  if (!is_terminal(followed_status(run, facts))) return still_going("the run");
  TRY(results, results_of(snapshot, run.stamp.id));
  std::uint64_t rows = 0;
  for (const Doomed& result : results) rows += 10 + result.entries;
  store::ChangeSet changes;
  for (const Doomed& result : results) {
    TRY(forgotten, leave_lineage(snapshot, result.head, changes));
    if (rows <= rows_at_once) {
      changes.erase_result(result.head, result.entries);
    } else {
      changes.erase_result_head(result.head, result.entries);
    }
  }
  changes.erase_run(run);
  return changes;
}

store::ChangeSet deletion_of(const ExternalLog& log) {
  store::ChangeSet changes;
  changes.erase(log);
  changes.release_unique(store::Namespace::external_id, store::unique_name(log.external_id));
  return changes;
}

}  // namespace parley::actors
