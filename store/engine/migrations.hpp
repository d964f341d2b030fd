#pragma once
/// Internal to store/: the schema versions of the data file and the steps between them.
/// Thread: of Store::open.

#include <array>
#include <cstdint>

#include "store/engine/lmdb.hpp"

namespace parley::store {

/// Opened tables, in the order of TableId.
using Tables = std::array<MDB_dbi, all_tables.size()>;

/// The tables of the current schema, and the schema that the file had; 0: the file is new.
struct Migrated {
  Tables tables;
  std::uint32_t from;
  std::uint32_t to;
};

/// Brings the file to the current schema in one transaction and opens its tables. A step never changes after
/// a release: a new layout is a new step. Throws LmdbError.
/// Problem: store_refuses for a newer schema, a file that is not parley's, or a missing table.
[[nodiscard]] Expected<Migrated> migrate(MDB_env* environment);

/// The schema of this parley.
[[nodiscard]] std::uint32_t current_schema();

}  // namespace parley::store
