#include "http/lists/page.hpp"

#include <algorithm>
#include <utility>

#include "http/protocol/transport_limits.hpp"
#include "model/limits.hpp"

namespace parley::http {
namespace {

using Keyed = std::pair<SortKey, Id>;

/// Whether the rows are requested in the order in which ids are stored.
bool is_by_creation(const PageQuery& page) {
  return page.sort_by == "createdAt" || page.sort_by == "id";
}

/// One page of the ids, sorted by a field of the rows. Ties are broken by id in the same direction (D6).
Expected<store::ListPage> sorted_page(const store::Snapshot& snapshot, const PageQuery& page,
                                      const store::ListQuery& query, const Rows& rows) {
  TRY(ids, store::all_ids(snapshot, query));
  std::vector<Keyed> keyed;
  keyed.reserve(ids.size());
  for (const Id& id : ids) {
    TRY(key, rows.key(id, page.sort_by));
    keyed.emplace_back(std::move(key).value_or(SortKey{}), id);
  }
  std::sort(keyed.begin(), keyed.end(),
            [&](const Keyed& a, const Keyed& b) { return page.is_ascending ? a < b : b < a; });
  store::ListPage found;
  found.total = static_cast<std::int64_t>(keyed.size());
  const Extent extent = extent_of(page, keyed.size());
  for (std::size_t i = extent.begin; i < extent.end; ++i) found.ids.push_back(keyed[i].second);
  return found;
}

Problem too_large(std::size_t rows_that_fit) {
  return problem(ProblemKind::page_too_large, "the rows of this page exceed 32 MiB; use limit=" +
                                                  std::to_string(rows_that_fit) + " or for output=minimal");
}

}  // namespace

Reply cut_short() {
  Reply reply;
  reply.is_unfinished = true;
  return reply;
}

Extent extent_of(const PageQuery& page, std::size_t total) {
  const auto limit = static_cast<std::size_t>(page.limit);
  const auto before = static_cast<std::size_t>(page.page - 1);
  if (before > total / limit) return {total, total};
  const std::size_t begin = std::min(before * limit, total);
  return {begin, std::min(begin + limit, total)};
}

Expected<Reply> envelope_reply(const RequestContext& call, const PageQuery& page, std::int64_t total,
                               std::size_t count,
                               const std::function<Expected<Done>(json::Writer&, std::size_t)>& write,
                               const std::function<std::size_t(std::size_t)>& bytes) {
  std::size_t bytes_read = 0;
  json::Writer out;
  out.begin_object();
  out.key("data").begin_array();
  for (std::size_t i = 0; i < count; ++i) {
    if (call.is_interactive) {
      if (bytes) bytes_read += bytes(i);
      if (std::max(bytes_read, out.size()) > bounds::page_bytes_at_once_max) return cut_short();
    }
    TRY_DONE(write(out, i));
    if (out.size() > limits::page_bytes_max && page.limit > 1) return too_large(std::max<std::size_t>(1, i));
  }
  out.end_array();
  out.key("total").integer(total);
  out.key("page").integer(page.page);
  out.key("limit").integer(page.limit);
  out.end_object();
  Reply reply = json_reply(std::move(out).text());
  reply.fields.emplace_back("Link", page_links(call.path, call.raw_query, page, total));
  return reply;
}

void turn_to(store::ListQuery& query, const PageQuery& page) {
  // No list has this many pages. The bound keeps the product of page and limit from overflowing.
  query.page = std::min<std::int64_t>(page.page, 1'000'000'000'000);
  query.limit = page.limit;
  query.ascending = page.is_ascending;
}

Expected<Reply> page_reply(const store::Snapshot& snapshot, const RequestContext& call, QueryReader& reader,
                           const PageQuery& page, store::ListQuery query, const Rows& rows) {
  if (!is_by_creation(page)) check_sort(reader, page, rows.sortable());
  TRY_DONE(reader.result());
  query.archived = page.is_archived;
  turn_to(query, page);
  TRY(found, is_by_creation(page) ? store::list(snapshot, query) : sorted_page(snapshot, page, query, rows));
  return envelope_reply(
      call, page, found.total, found.ids.size(),
      [&](json::Writer& out, std::size_t i) { return rows.write(out, found.ids[i]); },
      rows.bytes ? [&](std::size_t i) { return rows.bytes(found.ids[i]); }
                 : std::function<std::size_t(std::size_t)>{});
}

}  // namespace parley::http
