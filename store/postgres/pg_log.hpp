#pragma once
/// The log in PostgreSQL (14 or later), in one database: the schema `parley` with the tables log_head, log,
/// nodes and base (pg_schema.cpp). The one row of log_head orders and fences all appends. Each object has its
/// own connections; the next call reopens a lost one. No text that these functions return contains a password.
/// Thread: as ChangeLog.

#include <functional>
#include <memory>
#include <string>

#include "store/changelog/change_log.hpp"
#include "store/secrets/key_file.hpp"

namespace parley::store {

struct PgLogOptions {
  std::string url;
  std::string password;  ///< PARLEY_LOG_PASSWORD; empty: the password comes from libpq's own sources
  Id node;
  std::int64_t lease_ms = 3'000;
  std::uint64_t keep_bytes = std::uint64_t{2} << 30;  ///< --log-keep; determines the size of a partition
  std::function<bool()> is_stopping;                  ///< true: calls stop waiting for the server
};

/// The fingerprints of the keys that all nodes of a log share.
struct LogKeys {
  std::string pepper;
  std::string secrets;
  bool operator==(const LogKeys&) const = default;
};

/// The facts that a node reads before it joins.
struct LogIdentity {
  Id log;
  LogKeys keys;
  LogPosition head;
  bool has_base = false;
  bool is_unfinished = false;  ///< a migration into the log did not finish
  /// This machine's clock minus the log's, less what the round trip may explain.
  std::int64_t clock_off_ms = 0;
};

class PgLog {
 public:
  /// Returns a log that connects at its first call.
  [[nodiscard]] static std::unique_ptr<ChangeLog> open(const PgLogOptions& options);

  /// The log in the database; nullopt if it has none.
  [[nodiscard]] static Expected<std::optional<LogIdentity>> find(const PgLogOptions& options);
  /// Creates what is missing. The first node gives the log its id and keys; every caller gets the stored ones.
  /// `is_unfinished` in `fresh`: for a migration; finish() resets it.
  [[nodiscard]] static Expected<LogIdentity> begin(const PgLogOptions& options, const LogIdentity& fresh);
  /// Ends a migration: nodes may join from now on.
  [[nodiscard]] static Expected<Done> finish(const PgLogOptions& options);
  /// Removes the rest of an unfinished migration.
  [[nodiscard]] static Expected<Done> discard_unfinished(const PgLogOptions& options);

  /// Claims the address for this node. Replaces the row of a dead node after ten seconds without an
  /// announcement, and waits for that. Problem: store_refuses if a live node has the address.
  [[nodiscard]] static Expected<Done> claim_address(const PgLogOptions& options, const std::string& address);
  /// Withdraws the claim of a node that could not join.
  static void release_address(const PgLogOptions& options);
};

}  // namespace parley::store
