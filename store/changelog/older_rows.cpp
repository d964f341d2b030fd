#include "store/changelog/older_rows.hpp"

#include <algorithm>

namespace parley::store {
namespace {

constexpr std::size_t piece_bytes = std::size_t{4} << 20;
/// Long enough for a node of the older version to take the lead first, so that the others need not be updated
/// immediately.
constexpr std::int64_t older_nodes_first_ms = 1'000;

Problem older_leader() {
  return problem(
      ProblemKind::busy,
      "A node with an older parley leads, and this node cannot serve the rows that it writes. Update "
      "the other followers, then stop the leader: this node takes the lead.");
}

/// The schema of the rows after `head`, once it is certain; nullopt: ask again.
Expected<std::optional<std::uint32_t>> schema_after(const LogPosition& head, std::uint32_t schema,
                                                    ChangeLog& log, const NodeRow& self) {
  TRY(view, log.announce(self));
  if (view.head != head) return std::optional<std::uint32_t>{};
  if (view.rules > schema) return std::optional(view.rules);
  if (view.lease_left_ms > -older_nodes_first_ms) return older_leader();
  TRY_DONE(log.lead(std::nullopt));
  return std::optional<std::uint32_t>{};
}

}  // namespace

Expected<std::uint32_t> rows_applied(Store& store, ChangeLog& log, const NodeRow& self) {
  Committer& committer = store.committer();
  NodeRow row = self;
  while (true) {
    const LogPlace place = committer.place();
    TRY(tail, log.read(place.at, place.before, piece_bytes));
    if (tail.kind != LogTail::Kind::rows)
      return problem(ProblemKind::busy, "The log changed while this node joined it.");
    const auto newer = std::find_if(tail.rows.begin(), tail.rows.end(),
                                    [&](const LogRow& each) { return each.rules > store.schema(); });
    if (newer != tail.rows.begin()) {
      TRY_DONE(committer.replay({tail.rows.begin(), newer}));
    }
    if (newer != tail.rows.end()) return newer->rules;
    if (!tail.rows.empty()) continue;
    row.applied = place.at.seq;
    TRY(next, schema_after(place.at, store.schema(), log, row));
    if (next) return *next;
  }
}

}  // namespace parley::store
