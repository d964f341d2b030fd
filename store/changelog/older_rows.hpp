#pragma once
/// Rows that an older parley wrote, in a log that a newer one joins. They fit only a data file of their own
/// schema, so a node applies all of them before it migrates its file (ADR 64).
/// Thread: that of join_log. Calls block.

#include "store/changelog/change_log.hpp"
#include "store/store.hpp"

namespace parley::store {

/// Applies all rows for the store's schema, and returns the schema of the rows that follow. If no node leads,
/// this node takes the lead, so that no older row can follow. Needs: the committer follows the log; the schema
/// is older than this parley's.
/// Problem: `busy` while an older parley leads.
[[nodiscard]] Expected<std::uint32_t> rows_applied(Store& store, ChangeLog& log, const NodeRow& self);

}  // namespace parley::store
