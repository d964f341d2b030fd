#pragma once
/// Internal to store/changelog: bases, which replace old rows of the log, and the log's partitions, which may
/// then be dropped. A base is a compacted data file in compressed parts of 1 MiB. Its last part, number -1, is
/// written last; without it, the base does not exist.
///
///   part -1 = sha256 of the file (32) digest of the position (32) rules u32 parts u32
/// Thread: the connection's.

#include <filesystem>

#include "store/postgres/pg_connection.hpp"

namespace parley::store {

[[nodiscard]] Expected<Done> upload_base(PgConnection& connection, const std::filesystem::path& file,
                                         const LogPosition& at, std::uint32_t rules);
/// nullopt: the log has no base.
[[nodiscard]] Expected<std::optional<LogPosition>> download_base(PgConnection& connection,
                                                                 const std::filesystem::path& file);
/// Drops partitions, oldest first, whose rows the newest base covers, until the rest is smaller than `keep_bytes`.
[[nodiscard]] Expected<Done> drop_old_rows(PgConnection& connection, std::uint64_t keep_bytes);

/// The size at which the next partition begins.
[[nodiscard]] std::uint64_t partition_size(std::uint64_t keep_bytes);
[[nodiscard]] Expected<std::uint64_t> open_partition_bytes(PgConnection& connection);
/// Closes the open partition at the head, unless a newer term exists.
[[nodiscard]] Expected<Done> begin_partition(PgConnection& connection, std::uint64_t term);

}  // namespace parley::store
