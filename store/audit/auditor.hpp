#pragma once
/// Internal to store/: writes the audit log, one record at the end of each transaction that changes something
/// (I68).
/// Thread: the committer's.
/// Order: begin; for each change set, open and then its notes; close before the commit. The auditor keeps
/// nothing between transactions, so a failed transaction leaves no trace.

#include "store/audit/audit_format.hpp"
#include "store/change.hpp"
#include "store/engine/environment.hpp"

namespace parley::store {

class Auditor {
 public:
  explicit Auditor(const AuditOptions& options) : options_(options), digester_(options.keys.values) {}

  void begin();
  /// Starts the changes of this set.
  void open(const ChangeSet& set);
  /// Records one change. Needs: is_audited. nullopt `before`: the value is new; empty `after`: it is removed.
  void note(TableId table, std::string_view key, std::optional<std::string_view> before,
            std::string_view after);
  /// Throws LmdbError.
  void close(MDB_txn* transaction, const Environment& tables);
  /// As above, for a row of a shared log. All data comes from the row, so that every node writes the same record.
  void close_row(MDB_txn* transaction, const Environment& tables, Time time, std::int64_t retain_ms);

 private:
  void end_set();
  void put_record(MDB_txn* transaction, const Environment& tables, Time now);
  /// Whether more records may have expired.
  bool remove_expired(MDB_txn* transaction, const Environment& tables, Time now, std::int64_t retain_ms);

  AuditOptions options_;
  Digester digester_;
  std::string sets_;             ///< the encoded sets of the transaction
  std::vector<Author> authors_;  ///< the authors of the open set
  std::string changes_;          ///< the encoded changes of the open set
  std::uint32_t count_ = 0;      ///< number of changes in changes_
  Time checked_{};               ///< the last time when remove_expired found nothing more to remove
};

}  // namespace parley::store
