#pragma once
/// Lists: filters, pages and totals over the index (D6), in order of creation, which is the order of ids.
/// Thread: as the snapshot.
/// Bound: with one filter and no predicate, the cost is the page, however long the list is (totals are stored).
/// With several filters or a predicate, the cost is the rows of the smallest filter.

#include <functional>
#include <vector>

#include "store/snapshot.hpp"

namespace parley::store {

/// Matches records whose facet has one of these values.
struct FacetFilter {
  Facet facet;
  std::vector<FacetValue> any_of;  ///< empty: matches no record
};

/// Whether a list includes results that a retry replaced. Archived records are on a separate shelf.
enum class Retired : std::uint8_t { included, left_out, only };

struct ListQuery {
  RecordKind kind;
  bool archived = false;
  std::vector<FacetFilter> filters;               ///< a record must pass all; empty: every record of the kind
  std::function<bool(const Id& id)> predicate{};  ///< empty: all records pass
  std::int64_t page = 1;                          ///< from 1
  std::int64_t limit = 50;
  bool ascending = false;
  Retired retired = Retired::included;
};

struct ListPage {
  std::vector<Id> ids;
  std::int64_t total = 0;  ///< matching records in the same snapshot (I53)
};

[[nodiscard]] Expected<ListPage> list(const Snapshot& snapshot, const ListQuery& query);

/// The number of records that a walk over the matches would read.
[[nodiscard]] Expected<std::int64_t> candidates(const Snapshot& snapshot, const ListQuery& query);

/// All matching ids, ascending, for a sort by another field. Ignores page, limit and ascending. Problem:
/// invalid_parameter (sortBy) beyond limits::sorted_rows_max.
[[nodiscard]] Expected<std::vector<Id>> all_ids(const Snapshot& snapshot, const ListQuery& query);

}  // namespace parley::store
