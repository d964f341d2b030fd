#pragma once
/// Connects a data directory and a log: a node joins, a plain directory becomes a log (migrate), a node copies
/// the log's data (rebase), or a directory leaves its log. Without --log, only `stay_alone` is used.
/// Thread: the starting thread, or a tool's. Calls block.
///
///   DIR/node.id = uuid LF       ; the node; separate from the data file, which nodes copy from each other

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "model/clock.hpp"
#include "store/changelog/change_codec.hpp"
#include "store/postgres/pg_log.hpp"
#include "store/secrets/secrets.hpp"
#include "store/store.hpp"

namespace parley::store {

struct JoinOptions {
  Options store;
  PgLogOptions log;  ///< without `node`, which is read from the directory
  std::string address;
  GivenKeys keys;
  AuditRules audit;
  const Clock* clock = nullptr;  ///< must outlive the store
};

/// A node that reached the log. Its committer follows the log.
struct Joined {
  std::unique_ptr<Store> store;
  Secrets secrets;
  Key256 pepper{};
  PgLogOptions log;    ///< for more connections; includes the node
  bool began = false;  ///< true: this start created the log
};

/// Makes one attempt. Problem: `busy`: PostgreSQL cannot be reached now; any other kind: this node cannot join,
/// and the text names the cause and the fix.
[[nodiscard]] Expected<Joined> join_log(const JoinOptions& options);

/// For a start without --log. Problem: store_refuses if the directory belongs to a log, unless `leaves` is set.
[[nodiscard]] Expected<Done> stay_alone(Store& store, const std::filesystem::path& directory, bool leaves);

/// Makes a directory that no server uses the base of a new log. The directory is unchanged until the base is
/// complete. Returns the size of the base in bytes.
[[nodiscard]] Expected<std::uint64_t> migrate_to_log(const std::filesystem::path& directory,
                                                     const PgLogOptions& log, const GivenKeys& keys);
/// Replaces the copy in the directory with the log's data. Returns the number of the last row that it includes.
[[nodiscard]] Expected<std::uint64_t> rebase(const std::filesystem::path& directory, const PgLogOptions& log,
                                             const GivenKeys& keys);

/// Uploads a base if the log is larger than `keep_bytes`, and drops the rows that it covers. May take minutes;
/// run it on a separate thread with a separate connection.
[[nodiscard]] Expected<Done> keep_log_small(const Store& store, const std::filesystem::path& directory,
                                            ChangeLog& log, std::uint64_t log_bytes,
                                            std::uint64_t keep_bytes);

}  // namespace parley::store
