#pragma once
/// The audit log (I68). Each transaction writes one record: who changed which stored value, and the value
/// before and after the change. Each record is bound to the record before it. docs/security.md describes what
/// that proves.
/// Thread: reads: as the snapshot, or any; the options are plain values.

#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "model/clock.hpp"
#include "model/expected.hpp"
#include "store/audit/author.hpp"
#include "store/secrets/secrets.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

/// Derived from the server's master key (D23), so the data file alone is not enough to forge a record.
struct AuditKeys {
  Key256 chain{};
  Key256 values{};
  Key256 anchor{};
};
[[nodiscard]] AuditKeys audit_keys(const Secrets& secrets);

/// For Committer::audit. Needs: a clock that outlives the committer.
struct AuditOptions {
  AuditKeys keys;
  const Clock* clock = nullptr;
  std::int64_t retain_ms = 0;  ///< older records are removed, oldest first; 0: keep all records
};

/// Whether changes to a table are recorded. Changes to views are not, because views are derived. Changes to
/// temporary data (idempotency records, leases, cached model answers, sessions) are not recorded either.
[[nodiscard]] bool is_audited(TableId table);

/// The end of the log. Keep a copy elsewhere to detect that the end was later cut off.
struct AuditHead {
  std::uint64_t seq = 0;  ///< 0: the log is empty
  std::string mac;        ///< 32 bytes
};
/// Converts to and from the text SEQ:64 hex digits.
[[nodiscard]] std::string to_text(const AuditHead& head);
[[nodiscard]] std::optional<AuditHead> audit_head_from_text(std::string_view text);
/// The head of the audit log in the snapshot.
[[nodiscard]] AuditHead audit_head(const Snapshot& snapshot);

/// The `meta` row that starts a new log under these keys. Pass it to Store::remember when the operator accepts
/// another master key. The earlier records stay readable, but these keys cannot verify them. Empty if the log is empty.
[[nodiscard]] std::map<std::string, std::string> start_new_log(const Snapshot& snapshot,
                                                               const AuditKeys& keys);
/// The head of the old log when start_new_log began the new one; nullopt once the new log has a record.
[[nodiscard]] std::optional<AuditHead> head_before_new_log(const Snapshot& snapshot, const AuditKeys& keys);

struct AuditChange {
  TableId table = TableId::meta;
  std::string_view key;
  std::string_view before;  ///< digest; empty: the value was created
  std::string_view after;   ///< digest; empty: the value was removed
};
struct AuditSet {
  std::vector<Author> authors;  ///< empty: the service itself
  std::vector<AuditChange> changes;
};
struct AuditRecord {
  std::uint64_t seq = 0;
  std::string_view mac;
  std::string_view previous;
  Time time;
  std::vector<AuditSet> sets;
};

struct AuditCheck {
  AuditKeys keys;
  std::optional<AuditHead> head;  ///< printed by an earlier check; the log must contain it
  bool with_values = false;       ///< also check that each stored value is the last one that the log recorded
};
struct AuditReport {
  AuditHead head;
  std::uint64_t records = 0;
  std::uint64_t changes = 0;
  std::uint64_t first = 0;  ///< seq of the oldest verified record; 0: no record was verified
  /// Records up to this seq were written under another key and are not verified; 0: none are left.
  std::uint64_t another_key_until = 0;
  std::string fault;  ///< empty: no fault
  std::uint64_t fault_seq = 0;
};
/// Verifies the log of a directory up to the first fault. A server may be using the directory.
/// Problem: store_refuses if the directory has no store, or no store with an audit log.
/// Needs: this process does not have the store open.
[[nodiscard]] Expected<AuditReport> verify_audit(const std::filesystem::path& directory,
                                                 const AuditCheck& check);
/// As above, for the store in the snapshot. LMDB lets a process open a directory only once.
[[nodiscard]] AuditReport verify_audit(const Snapshot& snapshot, const AuditCheck& check);
/// Calls `visit` for each record from `from` on, without verification. Problem: as verify_audit.
[[nodiscard]] Expected<Done> read_audit(const std::filesystem::path& directory, std::uint64_t from,
                                        const std::function<void(const AuditRecord&)>& visit);

}  // namespace parley::store
