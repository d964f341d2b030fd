#pragma once
/// Page: the envelope of every list (D6). Filters select ids, and ids become rows. Pure except for the snapshot; runs
/// on a worker thread.

#include <functional>

#include "http/exchange/query.hpp"
#include "http/exchange/reply.hpp"
#include "http/exchange/request_context.hpp"
#include "http/lists/sort.hpp"
#include "model/json/json_writer.hpp"
#include "store/list.hpp"

namespace parley::http {

/// Lists every record of a kind; the caller adds filters.
[[nodiscard]] inline store::ListQuery list_of(RecordKind kind) {
  store::ListQuery query{};
  query.kind = kind;
  return query;
}
inline void add_filter(store::ListQuery& query, store::Facet facet, std::vector<store::FacetValue> any_of) {
  query.filters.push_back({facet, std::move(any_of)});
}

/// Filters by the id in a query parameter, if it is given.
inline void filter_by_id(QueryReader& reader, store::ListQuery& query, std::string_view name, RecordKind kind,
                         store::Facet facet) {
  if (const auto id = reader.id(name, kind)) add_filter(query, facet, {store::value_of(*id)});
}

/// Filters by the project whose files own the records (D110). Returns true if the query has this filter.
inline bool filter_by_project(QueryReader& reader, store::ListQuery& query) {
  const auto project = reader.text("project");
  if (project) add_filter(query, store::Facet::project, {store::value_of(std::string_view(*project))});
  return project.has_value();
}

/// How a kind of record appears in lists.
struct Rows {
  /// Appends the row of a record that the same snapshot listed.
  std::function<Expected<Done>(json::Writer&, const Id&)> write;
  /// The value of one of the `sortable` fields.
  std::function<Expected<std::optional<SortKey>>(const Id&, std::string_view field)> key;
  /// The fields by which the rows can be sorted.
  std::vector<std::string_view> (*sortable)() = nullptr;
  /// Estimates the bytes that the row reads, without reading them. Empty if a row reads only itself.
  std::function<std::size_t(const Id&)> bytes{};
};

/// The reply to an interactive call whose work must be repeated on a background thread.
[[nodiscard]] Reply cut_short();

/// Sets which rows the query returns, and in which direction.
void turn_to(store::ListQuery& query, const PageQuery& page);

/// Problem: invalid_parameter with all faults of the query, including an unknown sortBy; page_too_large with the
/// limit that would fit.
[[nodiscard]] Expected<Reply> page_reply(const store::Snapshot& snapshot, const RequestContext& call,
                                         QueryReader& reader, const PageQuery& page, store::ListQuery query,
                                         const Rows& rows);

/// The same envelope for computed rows. `write(out, i)` appends row i of `total` and reads `bytes(i)` for it. The
/// reply is unfinished for an interactive call whose rows exceed bounds::page_bytes_at_once_max.
[[nodiscard]] Expected<Reply> envelope_reply(
    const RequestContext& call, const PageQuery& page, std::int64_t total, std::size_t count,
    const std::function<Expected<Done>(json::Writer&, std::size_t)>& write,
    const std::function<std::size_t(std::size_t)>& bytes = {});

/// The half-open range of `total` rows that a page shows; safe for any page number.
struct Extent {
  std::size_t begin = 0;
  std::size_t end = 0;
};
[[nodiscard]] Extent extent_of(const PageQuery& page, std::size_t total);

/// A page of rows that are all in memory; `write(out, row)` appends one.
template <class Row, class Write>
[[nodiscard]] Expected<Reply> page_of(const RequestContext& call, const PageQuery& page,
                                      const std::vector<Row>& rows, const Write& write) {
  const Extent extent = extent_of(page, rows.size());
  return envelope_reply(call, page, static_cast<std::int64_t>(rows.size()), extent.end - extent.begin,
                        [&](json::Writer& out, std::size_t i) -> Expected<Done> {
                          write(out, rows[extent.begin + i]);
                          return Done{};
                        });
}

}  // namespace parley::http
