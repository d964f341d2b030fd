#pragma once
/// Internal to store/: writes the audit log, one record at the end of each transaction that changed something (I68).
/// Thread: the committer's.
/// Order: begin, then for each change set open and its notes, then close before the commit. It keeps nothing from one
/// transaction to the next, so one that fails leaves nothing behind.

#include "store/audit/audit_format.hpp"
#include "store/change.hpp"
#include "store/engine/environment.hpp"

namespace parley::store {

class Auditor {
 public:
  explicit Auditor(const AuditOptions& options) : options_(options), digester_(options.keys.values) {}

  void begin();
  /// The changes of this set come next.
  void open(const ChangeSet& set);
  /// Needs: is_audited. Nothing before: the record is new; an empty `after`: it is taken away.
  void note(TableId table, std::string_view key, std::optional<std::string_view> before,
            std::string_view after);
  /// Throws LmdbError.
  void close(MDB_txn* transaction, const Environment& tables);

 private:
  void end_set();
  void let_go(MDB_txn* transaction, const Environment& tables, Time now);
  /// The number of the last record that was written under another master key, and so cannot be verified; 0: none was.
  [[nodiscard]] std::uint64_t another_key_until(MDB_txn* transaction, const Environment& tables) const;

  AuditOptions options_;
  Digester digester_;
  std::string sets_;             ///< of the transaction
  std::vector<Author> authors_;  ///< of the set at hand
  std::string changes_;          ///< the same
  std::uint32_t count_ = 0;      ///< of changes_
  Time looked_{};                ///< when let_go looked last
};

}  // namespace parley::store
