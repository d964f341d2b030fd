#pragma once
/// Internal to store/: writes the audit log: one record at the end of each transaction that changes something
/// (I68).
/// Thread: the committer's.
/// Order: begin; for each change set open, then its notes; close before the commit. Nothing is kept from one
/// transaction to the next, so a failed transaction leaves no trace.

#include "store/audit/audit_format.hpp"
#include "store/change.hpp"
#include "store/engine/environment.hpp"

namespace parley::store {

class Auditor {
 public:
  explicit Auditor(const AuditOptions& options) : options_(options), digester_(options.keys.values) {}

  void begin();
  /// The changes of this set follow.
  void open(const ChangeSet& set);
  /// Needs: is_audited. nullopt `before`: the value is new; empty `after`: it is removed.
  void note(TableId table, std::string_view key, std::optional<std::string_view> before,
            std::string_view after);
  /// Throws LmdbError.
  void close(MDB_txn* transaction, const Environment& tables);
  /// As above for a row of a shared log: everything comes from the row, so that all nodes write the same record.
  void close_row(MDB_txn* transaction, const Environment& tables, Time time, std::int64_t retain_ms);

 private:
  void end_set();
  void put_record(MDB_txn* transaction, const Environment& tables, Time now);
  /// Whether more records may have expired.
  bool remove_expired(MDB_txn* transaction, const Environment& tables, Time now, std::int64_t retain_ms);

  AuditOptions options_;
  Digester digester_;
  std::string sets_;             ///< of the transaction
  std::vector<Author> authors_;  ///< of the open set
  std::string changes_;          ///< of the open set
  std::uint32_t count_ = 0;      ///< of changes_
  Time checked_{};               ///< the last time remove_expired found no more to remove
};

}  // namespace parley::store
