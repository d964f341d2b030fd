#pragma once
/// The audit log (I68): one record for each transaction, written in it, that tells who changed which record and what its
/// value was before and after, each record bound to the one before it. docs/security.md tells what that proves.
/// Thread: reading as the snapshot or on any; options are plain values.

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

/// Derived from the server's master key (D23), so that whoever has the data file alone can forge no record.
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
  std::int64_t retain_ms = 0;  ///< records older than this are let go, oldest first; 0: none
};

/// Whether changes of a table are recorded: not of views, which are derived, nor of what is kept for a while only
/// (idempotency keys, leases, kept answers).
[[nodiscard]] bool is_audited(TableId table);

/// Where the log ends: printed, so that a copy outside of the machine shows when its end was cut off.
struct AuditHead {
  std::uint64_t seq = 0;  ///< 0: the log is empty
  std::string mac;        ///< 32 bytes
};
/// SEQ:64 hex digits, and back.
[[nodiscard]] std::string to_text(const AuditHead& head);
[[nodiscard]] std::optional<AuditHead> audit_head_from_text(std::string_view text);
/// Of the store as of the snapshot.
[[nodiscard]] AuditHead audit_head(const Snapshot& snapshot);
/// The last record that was written under another master key, which the present one vouches for; nullopt: none was.
[[nodiscard]] std::optional<AuditHead> another_key_head(const Snapshot& snapshot, const AuditKeys& keys);
/// For the moment at which the keys become the store's: the rows of `meta` from which the log goes on under them, for
/// Store::remember. None where it is empty, or ends with a record of theirs and no other keys came in between. Where others
/// did that wrote nothing, the log begins anew with the oldest of the records at its end that these keys sealed.
[[nodiscard]] std::map<std::string, std::optional<std::string>> begin_audit_anew(const Snapshot& snapshot,
                                                                                 const AuditKeys& keys);

struct AuditChange {
  TableId table = TableId::meta;
  std::string_view key;
  std::string_view before;  ///< digest; empty: there was none
  std::string_view after;   ///< digest; empty: taken away
};
struct AuditSet {
  std::vector<Author> authors;  ///< none: the service itself
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
  std::optional<AuditHead> head;  ///< that was printed once; the log must hold it
  bool with_values = false;       ///< what is stored now must be what the log says was written last
};
struct AuditReport {
  AuditHead head;
  std::uint64_t records = 0;
  std::uint64_t changes = 0;
  std::uint64_t first = 0;  ///< seq of the oldest record that was verified; 0: none
  std::uint64_t another_key_until =
      0;              ///< records up to here were written under another key, unverified; 0: none is left
  std::string fault;  ///< empty: all is well
  std::uint64_t fault_seq = 0;
};
/// Reads the whole log of a directory, also of one that a server uses, up to the first fault.
/// Problem: store_refuses where there is no store, or none with an audit log.
/// Needs: another process has it open, or none.
[[nodiscard]] Expected<AuditReport> verify_audit(const std::filesystem::path& directory,
                                                 const AuditCheck& check);
/// The same of the store as of the snapshot: LMDB lets a process open a directory only once.
[[nodiscard]] AuditReport verify_audit(const Snapshot& snapshot, const AuditCheck& check);
/// Calls `visit` for the records from `from` on, unverified. Problem: as verify_audit.
[[nodiscard]] Expected<Done> read_audit(const std::filesystem::path& directory, std::uint64_t from,
                                        const std::function<void(const AuditRecord&)>& visit);

}  // namespace parley::store
