#include "store/audit/audit.hpp"

#include <algorithm>
#include <charconv>
#include <map>

#include "store/audit/audit_format.hpp"
#include "store/engine/data_directory.hpp"
#include "store/engine/encoding.hpp"
#include "store/engine/lmdb_assert.hpp"
#include "store/engine/raw_snapshot.hpp"

namespace parley::store {
namespace {

Problem no_log(const std::filesystem::path& directory, std::string_view why) {
  return problem(ProblemKind::store_refuses,
                 "There is no audit log to read in " + directory.string() + ": " + std::string(why) + ".");
}

/// A read transaction and its tables.
struct AuditView {
  MDB_txn* transaction;
  Tables tables;
  [[nodiscard]] MDB_dbi operator[](TableId table) const { return tables[static_cast<std::size_t>(table)]; }
};

AuditView view_of(const Snapshot& snapshot) {
  AuditView view{RawSnapshot(snapshot).transaction, {}};
  for (std::size_t i = 0; i < view.tables.size(); ++i)
    view.tables.at(i) = RawSnapshot(snapshot)[static_cast<TableId>(i)];
  return view;
}

/// A read transaction on a directory that another process may be writing to. As in a backup, it neither takes
/// parley's own lock nor changes the schema.
class LogReader {
 public:
  LogReader() {
    require(mdb_env_create(&environment_), "create an environment");
    set_assert_hook(environment_);
  }
  ~LogReader() {
    if (transaction_ != nullptr) mdb_txn_abort(transaction_);
    mdb_env_close(environment_);
  }
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// Returns LMDB's status code.
  [[nodiscard]] int open(const std::filesystem::path& directory) {
    if (const int code = mdb_env_set_maxreaders(environment_, lmdb_readers_max)) return code;
    if (const int code = mdb_env_set_maxdbs(environment_, static_cast<MDB_dbi>(all_tables.size())))
      return code;
    if (const int code = mdb_env_open(environment_, directory.c_str(), MDB_RDONLY | MDB_NOTLS, 0600)) {
      return code;
    }
    if (const int code = mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &transaction_)) return code;
    for (std::size_t i = 0; i < tables_.size(); ++i) {
      const std::string name(all_tables.at(i).name);
      if (const int code = mdb_dbi_open(transaction_, name.c_str(), 0, &tables_.at(i))) return code;
    }
    return MDB_SUCCESS;
  }

  [[nodiscard]] AuditView view() const { return {transaction_, tables_}; }

 private:
  MDB_env* environment_ = nullptr;
  MDB_txn* transaction_ = nullptr;
  Tables tables_{};
};

Expected<std::unique_ptr<LogReader>> open_log(const std::filesystem::path& directory) {
  TRY(found, find_store(directory));
  auto reader = std::make_unique<LogReader>();
  const int code = reader->open(directory);
  if (code == MDB_NOTFOUND) return no_log(directory, "an older parley wrote this store");
  if (is_damage_code(code)) return damaged_file(directory / "data.mdb", mdb_strerror(code));
  if (code != MDB_SUCCESS) return no_log(directory, mdb_strerror(code));
  return reader;
}

/// Verifies the chain from the anchor to the head.
class Verification {
 public:
  Verification(const AuditView& store, const AuditCheck& check) : store_(store), check_(check) {
    report.head.mac = std::string(no_mac);
  }

  void run() {
    if (!read_anchor()) return;
    Cursor cursor(store_.transaction, store_[TableId::audit]);
    report.another_key_until = records_up_to_anchor(cursor);
    if (!is_head_after_anchor()) return;
    for (bool there = cursor.seek(audit_key(report.head.seq + 1)); there; there = cursor.next()) {
      if (!verify(cursor)) return;
    }
    if (check_.head && check_.head->seq > report.head.seq)
      return fail(report.head.seq + 1, "the log ends before the given head");
    if (check_.with_values) compare_values();
    if (check_.with_values && is_whole_ && report.fault.empty()) find_unrecorded_values();
  }

  AuditReport report;

 private:
  void fail(std::uint64_t seq, std::string what) {
    report.fault_seq = seq;
    report.fault = std::move(what);
  }

  bool read_anchor() {
    const auto stored = get(store_.transaction, store_[TableId::meta], anchor_key);
    if (!stored) return true;
    is_whole_ = false;
    auto anchor = anchor_of(check_.keys, payload_at(TableId::meta, anchor_key, *stored));
    if (anchor) {
      report.head = std::move(*anchor);
      return true;
    }
    fail(0, "the anchor, which vouches for the records before the log, is not the one that was written");
    return false;
  }

  /// Removed records end at the anchor. Records under another key may still be present.
  [[nodiscard]] std::uint64_t records_up_to_anchor(Cursor& cursor) const {
    const bool has_any = cursor.first() && cursor.key() < audit_key(report.head.seq + 1);
    return has_any ? report.head.seq : 0;
  }

  bool is_head_after_anchor() {
    if (check_.head && check_.head->seq < report.head.seq) {
      fail(check_.head->seq, report.another_key_until > 0
                                 ? "the given head was printed under another key"
                                 : "the record of the given head was removed (--audit-retention)");
      return false;
    }
    return holds_given_head();
  }

  bool verify(const Cursor& cursor) {
    const std::uint64_t seq = report.head.seq + 1;
    const bool is_next = cursor.key() == audit_key(seq);
    if (!is_next) return fail(seq, "the record is missing"), false;
    const std::string_view payload = payload_at(TableId::audit, cursor.key(), cursor.value());
    const auto record = decode_audit(seq, payload);
    if (!record) return fail(seq, "the record is damaged"), false;
    if (record->previous != report.head.mac)
      return fail(seq, "the record does not follow the record before it"), false;
    if (!is_sealed(check_.keys, seq, payload))
      return fail(seq, "the record was changed, or was written under another key"), false;
    report.head = {seq, std::string(record->mac)};
    if (report.records++ == 0) report.first = seq;
    for (const AuditSet& set : record->sets) take(set);
    return holds_given_head();
  }

  bool holds_given_head() {
    const bool is_there = check_.head && check_.head->seq == report.head.seq;
    if (!is_there || check_.head->mac == report.head.mac) return true;
    fail(report.head.seq, "the record is not that of the given head");
    return false;
  }

  void take(const AuditSet& set) {
    report.changes += set.changes.size();
    if (!check_.with_values) return;
    for (const AuditChange& change : set.changes) {
      Last& last = last_[place_of(change.table, change.key)];
      last = {report.head.seq, std::string(change.after)};
    }
  }

  /// The key of a value in `last_`.
  static std::string place_of(TableId table, std::string_view key) {
    return std::string(1, static_cast<char>(table)).append(key);
  }

  void compare_values() {
    Digester digester(check_.keys.values);
    for (const auto& [place, last] : last_) {
      const auto table = static_cast<TableId>(static_cast<unsigned char>(place.front()));
      const auto stored = get(store_.transaction, store_[table], std::string_view(place).substr(1));
      std::string digest;
      if (stored) digester.append(digest, stored);
      if (digest == last.digest) continue;
      return fail(last.seq, "the last value it wrote in " + std::string(name_of(table)) + " under " +
                                hex(std::string_view(place).substr(1)) + " is not what is stored");
    }
  }

  /// If no record was removed, the log has a record for every stored value.
  void find_unrecorded_values() {
    for (std::size_t i = 0; i < all_tables.size(); ++i) {
      const auto table = static_cast<TableId>(i);
      if (!is_audited(table)) continue;
      Cursor cursor(store_.transaction, store_[table]);
      for (bool there = cursor.first(); there; there = cursor.next()) {
        if (last_.contains(place_of(table, cursor.key()))) continue;
        return fail(report.head.seq + 1,
                    "no record mentions what is stored in " + std::string(name_of(table)) + " under " +
                        hex(cursor.key()) +
                        ": it was written while the log was off, or the end of the log was cut off");
      }
    }
  }

  struct Last {
    std::uint64_t seq = 0;
    std::string digest;
  };

  AuditView store_;
  const AuditCheck& check_;
  bool is_whole_ = true;              ///< false: a record was removed or is unverified
  std::map<std::string, Last> last_;  ///< by table and key: the last write that the log recorded
};

}  // namespace

AuditKeys audit_keys(const Secrets& secrets) {
  return {secrets.derived("audit chain"), secrets.derived("audit values"), secrets.derived("audit anchor")};
}

bool is_audited(TableId table) {
  switch (table) {
    case TableId::meta:
    case TableId::index:
    case TableId::counts:
    case TableId::run_counters:
    case TableId::case_counters:
    case TableId::idempotency:
    case TableId::leases:
    case TableId::answers:
    case TableId::erasures:
    case TableId::sessions:
    case TableId::notices:
    case TableId::deliveries:
    case TableId::audit: return false;
    case TableId::scenarios:
    case TableId::tests:
    case TableId::agents:
    case TableId::personalities:
    case TableId::folders:
    case TableId::tags:
    case TableId::run_groups:
    case TableId::scheduled_runs:
    case TableId::scenario_configurations:
    case TableId::users:
    case TableId::api_keys:
    case TableId::external_logs:
    case TableId::runs:
    case TableId::run_cases:
    case TableId::result_heads:
    case TableId::result_cases:
    case TableId::result_extras:
    case TableId::result_verdicts:
    case TableId::later_verdicts:
    case TableId::entries:
    case TableId::entry_orders:
    case TableId::unique:
    case TableId::lineages:
    case TableId::result_reviews:
    case TableId::labels:
    case TableId::webhooks:
    case TableId::result_claims: return true;
  }
  return false;
}

std::string to_text(const AuditHead& head) {
  return std::to_string(head.seq) + ":" + hex(head.mac);
}

std::optional<AuditHead> audit_head_from_text(std::string_view text) {
  const auto colon = std::min(text.find(':'), text.size());
  AuditHead head;
  const char* end = text.data() + colon;
  const auto read = std::from_chars(text.data(), end, head.seq);
  const std::string_view digits = text.substr(std::min(colon + 1, text.size()));
  if (read.ec != std::errc{} || read.ptr != end || digits.size() != 2 * mac_bytes) return std::nullopt;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    unsigned byte = 0;
    const char* two = digits.data() + i;
    const auto pair = std::from_chars(two, two + 2, byte, 16);
    if (pair.ec != std::errc{} || pair.ptr != two + 2) return std::nullopt;
    head.mac += static_cast<char>(byte);
  }
  return head;
}

AuditHead audit_head(const Snapshot& snapshot) {
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::audit]);
  return cursor.last() ? head_at(cursor.key(), cursor.value()) : AuditHead{0, std::string(no_mac)};
}

std::map<std::string, std::string> start_new_log(const Snapshot& snapshot, const AuditKeys& keys) {
  const AuditHead head = audit_head(snapshot);
  if (head.seq == 0) return {};
  return {{std::string(anchor_key), anchor_payload(keys, head)}};
}

std::optional<AuditHead> head_before_new_log(const Snapshot& snapshot, const AuditKeys& keys) {
  const auto stored =
      get(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::meta], anchor_key);
  if (!stored) return std::nullopt;
  auto anchor = anchor_of(keys, payload_at(TableId::meta, anchor_key, *stored));
  if (anchor && anchor->seq != audit_head(snapshot).seq) anchor.reset();
  return anchor;
}

Expected<AuditReport> verify_audit(const std::filesystem::path& directory, const AuditCheck& check) {
  TRY(reader, open_log(directory));
  Verification verification(reader->view(), check);
  verification.run();
  return std::move(verification.report);
}

AuditReport verify_audit(const Snapshot& snapshot, const AuditCheck& check) {
  Verification verification(view_of(snapshot), check);
  verification.run();
  return std::move(verification.report);
}

Expected<Done> read_audit(const std::filesystem::path& directory, std::uint64_t from,
                          const std::function<void(const AuditRecord&)>& visit) {
  TRY(reader, open_log(directory));
  const AuditView view = reader->view();
  Cursor cursor(view.transaction, view[TableId::audit]);
  for (bool there = cursor.seek(audit_key(from)); there; there = cursor.next()) {
    const std::string_view payload = payload_at(TableId::audit, cursor.key(), cursor.value());
    const auto record = decode_audit(u64_at(cursor.key()), payload);
    if (!record) {
      return no_log(directory, "the record " + std::to_string(u64_at(cursor.key())) + " is damaged");
    }
    visit(*record);
  }
  return Done{};
}

}  // namespace parley::store
