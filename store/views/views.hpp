#pragma once
/// Views follow records: this file alone maps (old record, new record) to changes of index keys, list totals
/// and counters. Pure. The code that decides a change computes them, and the committer applies them in the same
/// transaction.
/// Thread: any.
/// Invariant: changes are sums, so they commute; the sums over any history equal those of its last state
/// (recount).

#include <map>
#include <utility>

#include "store/tables.hpp"
#include "store/views/aggregates.hpp"
#include "store/views/facets.hpp"

namespace parley::store {

struct ViewChanges {
  std::map<std::string, std::int64_t> index;   ///< +1 adds the key, -1 removes it, 0 leaves it
  std::map<std::string, std::int64_t> counts;  ///< by slice_key
  std::map<Id, RunCounters> runs;
  std::map<std::pair<Id, Id>, CaseCounters> cases;  ///< by run and test (nil: none)

  [[nodiscard]] bool empty() const {
    return index.empty() && counts.empty() && runs.empty() && cases.empty();
  }
};

/// One `index` row of a record, without the record's id.
struct FacetRow {
  Facet facet;
  FacetValue value;
  bool operator==(const FacetRow&) const = default;
};

/// All facet rows of a record, including `all`.
[[nodiscard]] std::vector<FacetRow> facets_of(const Scenario& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Test& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Agent& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Personality& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Folder& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const RunGroup& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const User& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Tag& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const ScenarioConfiguration& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const ScheduledRun& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const ApiKey& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const ExternalLog& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Run& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const ResultHead& record);
[[nodiscard]] std::vector<FacetRow> facets_of(const Webhook& record);

template <Stamped T>
[[nodiscard]] Shelf shelf_of(const T& record) {
  if (record.is_archived) return Shelf::archived;
  if constexpr (std::is_same_v<T, ResultHead>) {
    if (record.retired_by) return Shelf::retired;
  }
  return Shelf::current;
}

/// The slice of a facet row. Live rows are on the current shelf, even if the record is archived.
[[nodiscard]] Slice slice_of(RecordKind kind, const FacetRow& row, Shelf shelf);

/// Adds the view rows of `record` (`times` is +1) or removes them (-1).
void add_rows(ViewChanges& changes, RecordKind kind, const Id& id, Shelf shelf,
              const std::vector<FacetRow>& rows, std::int64_t times);
void add_shares(ViewChanges& changes, const ResultHead& head, std::int64_t times);

template <Stamped T>
void add_views(ViewChanges& changes, const T& record, std::int64_t times) {
  add_rows(changes, T::kind, record.stamp.id, shelf_of(record), facets_of(record), times);
  if constexpr (std::is_same_v<T, ResultHead>) add_shares(changes, record, times);
}

/// Removes from both lists the rows that are in both. Needs: no row is twice in a list.
void drop_common(std::vector<FacetRow>& before, std::vector<FacetRow>& after);

/// Replaces the view rows of `before` with those of `after`; does not touch rows that both have.
template <Stamped T>
void move_views(ViewChanges& changes, const T& before, const T& after) {
  std::vector<FacetRow> gone = facets_of(before);
  std::vector<FacetRow> fresh = facets_of(after);
  if (shelf_of(before) == shelf_of(after)) drop_common(gone, fresh);
  add_rows(changes, T::kind, before.stamp.id, shelf_of(before), gone, -1);
  add_rows(changes, T::kind, after.stamp.id, shelf_of(after), fresh, 1);
  if constexpr (std::is_same_v<T, ResultHead>) {
    add_shares(changes, before, -1);
    add_shares(changes, after, 1);
  }
}

/// Adds everything except the index rows.
void add_sums(ViewChanges& sums, const ViewChanges& more);

/// Drops changes whose sum is zero.
void settle(ViewChanges& changes);

}  // namespace parley::store
