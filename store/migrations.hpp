#pragma once
/// Internal to store/: the versions of the data file's schema and the steps between them.
/// Thread: of Store::open.

#include <array>
#include <cstdint>

#include "store/lmdb.hpp"

namespace parley::store {

/// Opened tables, in the order of TableId.
using Tables = std::array<MDB_dbi, all_tables.size()>;

/// Brings the file to the current schema in one transaction and opens its tables. A step is never changed
/// after a release: a new layout is a new step. Throws LmdbError.
/// Problem: store_refuses for a newer schema, a file that is not parley's, a table that is missing.
[[nodiscard]] Result<Tables> migrate(MDB_env* environment);

}  // namespace parley::store
