#pragma once
/// Internal to store/: the schema versions of the data file and the steps between them.
/// Thread: that of Store::open.

#include <array>
#include <cstdint>

#include "store/engine/lmdb.hpp"

namespace parley::store {

/// The open tables, in the order of TableId.
using Tables = std::array<MDB_dbi, all_tables.size()>;

/// The tables of the file, and its schema before and after the migration; `from` 0: the file is new.
struct Migrated {
  Tables tables;
  std::uint32_t from;
  std::uint32_t to;
};

/// Migrates the file to the current schema, or to `schema_max` if that is older, in one transaction and opens
/// its tables. Tables of later schemas are not opened; LMDB refuses their handles. A released step never
/// changes; a new layout is a new step.
/// Throws LmdbError. Problem: store_refuses for a newer schema, a file that is not parley's, or a missing table.
[[nodiscard]] Expected<Migrated> migrate(MDB_env* environment, std::uint32_t schema_max);

/// The newest schema that this parley supports.
[[nodiscard]] std::uint32_t current_schema();

}  // namespace parley::store
