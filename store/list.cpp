#include "store/list.hpp"

#include <algorithm>
#include <memory>

#include "model/limits.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

enum class Direction : std::uint8_t { ascending, descending };

[[nodiscard]] Direction reversed(Direction direction) {
  return direction == Direction::ascending ? Direction::descending : Direction::ascending;
}

/// Walks the ids of one slice.
class SliceWalk {
 public:
  SliceWalk(const Snapshot& snapshot, const Slice& slice, Direction direction)
      : prefix_(slice_key(slice)),
        direction_(direction),
        cursor_(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::index]) {
    const bool there = direction == Direction::ascending ? cursor_.seek(prefix_)
                                                         : cursor_.seek_before(index_key(slice, last_id()));
    settle(there);
  }

  [[nodiscard]] bool done() const { return done_; }
  [[nodiscard]] const Id& id() const { return id_; }
  void next() { settle(direction_ == Direction::ascending ? cursor_.next() : cursor_.previous()); }

 private:
  /// No record has this id: ids are UUIDv7, whose version bits are not all ones.
  static Id last_id() {
    Id id;
    id.bytes.fill(0xff);
    return id;
  }
  void settle(bool there) {
    done_ = !there || !cursor_.key().starts_with(prefix_);
    if (!done_) id_ = id_at(cursor_.key().substr(prefix_.size()));
  }

  std::string prefix_;
  Direction direction_;
  Cursor cursor_;
  Id id_;
  bool done_ = true;
};

/// Merges the slices of one filter. An id in several slices is returned once.
class UnionWalk {
 public:
  UnionWalk(const Snapshot& snapshot, const std::vector<Slice>& slices, Direction direction)
      : direction_(direction) {
    for (const Slice& slice : slices)
      walks_.push_back(std::make_unique<SliceWalk>(snapshot, slice, direction));
    choose();
  }

  [[nodiscard]] bool done() const { return front_ == nullptr; }
  [[nodiscard]] const Id& id() const { return front_->id(); }
  void next() {
    const Id passed = id();
    for (const auto& walk : walks_) {
      if (!walk->done() && walk->id() == passed) walk->next();
    }
    choose();
  }

 private:
  void choose() {
    front_ = nullptr;
    for (const auto& walk : walks_) {
      if (!walk->done() && (front_ == nullptr || is_before(walk->id(), front_->id()))) front_ = walk.get();
    }
  }
  [[nodiscard]] bool is_before(const Id& a, const Id& b) const {
    return direction_ == Direction::ascending ? a < b : b < a;
  }

  Direction direction_;
  std::vector<std::unique_ptr<SliceWalk>> walks_;
  const SliceWalk* front_ = nullptr;
};

/// One filter, prepared for a walk or a probe.
struct Filter {
  Facet facet = Facet::all;
  std::vector<Slice> slices;
  std::int64_t rows = 0;  ///< over all slices
};

Expected<std::int64_t> count_of(const Snapshot& snapshot, const Slice& slice) {
  const std::string key = slice_key(slice);
  TRY(found, snapshot.value(TableId::counts, key));
  if (!found) {
    const SliceWalk rows(snapshot, slice, Direction::ascending);
    if (rows.done()) return std::int64_t{0};
    return snapshot.report(TableId::counts, key);
  }
  return static_cast<std::int64_t>(u64_at(found->payload));
}

/// The shelves that the query reads. Only results can be retired.
std::vector<Shelf> shelves_of(const ListQuery& query) {
  if (query.archived) return {Shelf::archived};
  if (query.kind != RecordKind::test_result || query.retired == Retired::left_out) return {Shelf::current};
  if (query.retired == Retired::only) return {Shelf::retired};
  return {Shelf::current, Shelf::retired};
}

Expected<Filter> filter_of(const Snapshot& snapshot, const ListQuery& query, FacetFilter wanted) {
  std::sort(wanted.any_of.begin(), wanted.any_of.end());
  wanted.any_of.erase(std::unique(wanted.any_of.begin(), wanted.any_of.end()), wanted.any_of.end());
  Filter filter{wanted.facet, {}, 0};
  const std::vector<Shelf> shelves = shelves_of(query);
  for (const FacetValue& value : wanted.any_of) {
    for (const Shelf shelf : shelves) {
      const Slice slice = slice_of(query.kind, {wanted.facet, value}, shelf);
      TRY(rows, count_of(snapshot, slice));
      // Most lists have no retired result. Without that slice, the end of the walk can be checked against the count.
      if (rows == 0 && shelves.size() > 1 && shelf == Shelf::retired) continue;
      filter.slices.push_back(slice);
      filter.rows += rows;
    }
  }
  return filter;
}

/// All filters, starting with the one that has the fewest rows.
Expected<std::vector<Filter>> filters_of(const Snapshot& snapshot, const ListQuery& query) {
  std::vector<FacetFilter> wanted = query.filters;
  if (wanted.empty()) wanted.push_back({Facet::all, {nil_value}});
  std::vector<Filter> filters;
  for (FacetFilter& one : wanted) {
    TRY(filter, filter_of(snapshot, query, std::move(one)));
    filters.push_back(std::move(filter));
  }
  std::sort(filters.begin(), filters.end(), [](const Filter& a, const Filter& b) { return a.rows < b.rows; });
  return filters;
}

bool passes(const Snapshot& snapshot, const Filter& filter, const Id& id) {
  const MDB_dbi index = RawSnapshot(snapshot)[TableId::index];
  return std::any_of(filter.slices.begin(), filter.slices.end(), [&](const Slice& slice) {
    return get(RawSnapshot(snapshot).transaction, index, index_key(slice, id)).has_value();
  });
}

/// Calls `visit` with each match in order until it returns false. Walks the first filter and probes the others.
/// Problem: internal if the walk ends before the counted rows.
template <class Visit>
Expected<Done> for_each_match(const Snapshot& snapshot, const ListQuery& query,
                              const std::vector<Filter>& filters, Direction direction, Visit&& visit) {
  const Filter& walked = filters.front();
  std::int64_t rows = 0;
  for (UnionWalk walk(snapshot, walked.slices, direction); !walk.done(); walk.next()) {
    ++rows;
    const Id id = walk.id();
    const bool matches = std::all_of(filters.begin() + 1, filters.end(),
                                     [&](const Filter& filter) { return passes(snapshot, filter, id); }) &&
                         (!query.predicate || query.predicate(id));
    if (matches && !visit(id)) return Done{};
  }
  if (walked.slices.size() > 1 || rows == walked.rows) return Done{};
  return snapshot.report(TableId::index, slice_key(walked.slices.front()));
}

/// Whether the total is the sum of the filter's stored counts, so that only the page must be walked.
bool has_kept_total(const ListQuery& query, const std::vector<Filter>& filters) {
  return filters.size() == 1 && !query.predicate &&
         (filters.front().slices.size() <= 1 || is_single_valued(filters.front().facet));
}

struct Window {
  std::int64_t skip = 0;
  std::int64_t take = 0;
};

/// The rows of the page among `total`; empty after the last page.
Window window_of(const ListQuery& query, std::int64_t total) {
  if (query.page - 1 > total / query.limit) return {};
  const std::int64_t skip = (query.page - 1) * query.limit;
  return {skip, std::clamp<std::int64_t>(total - skip, 0, query.limit)};
}

std::vector<Id> rows_in(const Snapshot& snapshot, const Filter& filter, Direction direction, Window window) {
  std::vector<Id> ids;
  if (window.take == 0) return ids;
  for (UnionWalk walk(snapshot, filter.slices, direction); !walk.done(); walk.next()) {
    if (window.skip > 0) {
      --window.skip;
      continue;
    }
    ids.push_back(walk.id());
    if (static_cast<std::int64_t>(ids.size()) == window.take) break;
  }
  return ids;
}

/// Returns a page with as many ids as the counts promise, or the problem of the lost rows.
Expected<ListPage> page_of(const Snapshot& snapshot, const Filter& filter, std::vector<Id> ids,
                           Window window) {
  if (static_cast<std::int64_t>(ids.size()) == window.take) return ListPage{std::move(ids), filter.rows};
  return snapshot.report(TableId::index, slice_key(filter.slices.front()));
}

Expected<ListPage> page_by_count(const Snapshot& snapshot, const ListQuery& query, const Filter& filter,
                                 Direction direction) {
  const std::int64_t total = filter.rows;
  Window window = window_of(query, total);
  if (window.skip <= total / 2)
    return page_of(snapshot, filter, rows_in(snapshot, filter, direction, window), window);
  // A page in the second half is closer to the other end.
  window.skip = total - window.skip - window.take;
  std::vector<Id> ids = rows_in(snapshot, filter, reversed(direction), window);
  std::reverse(ids.begin(), ids.end());
  return page_of(snapshot, filter, std::move(ids), window);
}

Expected<ListPage> page_by_walk(const Snapshot& snapshot, const ListQuery& query,
                                const std::vector<Filter>& filters, Direction direction) {
  ListPage page;
  const Window window = window_of(query, filters.front().rows);
  TRY(walked, for_each_match(snapshot, query, filters, direction, [&](const Id& id) {
        const std::int64_t at = page.total++;
        if (at >= window.skip && at < window.skip + window.take) page.ids.push_back(id);
        return true;
      }));
  return page;
}

}  // namespace

Expected<ListPage> list(const Snapshot& snapshot, const ListQuery& query) {
  CHECK(query.page >= 1 && query.limit >= 1);
  TRY(filters, filters_of(snapshot, query));
  const Direction direction = query.ascending ? Direction::ascending : Direction::descending;
  if (has_kept_total(query, filters)) return page_by_count(snapshot, query, filters.front(), direction);
  return page_by_walk(snapshot, query, filters, direction);
}

Expected<std::int64_t> candidates(const Snapshot& snapshot, const ListQuery& query) {
  TRY(filters, filters_of(snapshot, query));
  return filters.front().rows;
}

Expected<std::vector<Id>> all_ids(const Snapshot& snapshot, const ListQuery& query) {
  TRY(filters, filters_of(snapshot, query));
  std::vector<Id> ids;
  bool fits = true;
  TRY(walked, for_each_match(snapshot, query, filters, Direction::ascending, [&](const Id& id) {
        fits = ids.size() < limits::sorted_rows_max;
        if (fits) ids.push_back(id);
        return fits;
      }));
  if (fits) return ids;
  return parameter_fault("sortBy", "a list of more than " + std::to_string(limits::sorted_rows_max) +
                                       " records can only be sorted by createdAt; narrow it by filters");
}

}  // namespace parley::store
