#pragma once
/// A store that writes an audit log, and ways to tamper with the log. One thread.

#include "store/audit/audit.hpp"
#include "store/audit/audit_format.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "tests/store/world.hpp"

namespace parley::store {

inline constexpr std::int64_t day_ms = 86'400'000;

/// A store whose committer writes the audit log.
class AuditedWorld : public World {
 public:
  explicit AuditedWorld(std::int64_t retain_ms = 0) { audit(retain_ms); }

  /// Replaces the master key, like a start with --new-secrets-key.
  void take_another_key(std::uint8_t key, std::int64_t retain_ms = 0) {
    secrets = Secrets(Key256{key});
    const auto rows = start_new_log(store->snapshot(), audit_keys(secrets));
    EXPECT_EQ(rows.size(), 1U);
    EXPECT_TRUE(store->remember(rows).ok());
    audit(retain_ms);
  }
  void audit(std::int64_t retain_ms) { store->committer().audit({audit_keys(secrets), &clock, retain_ms}); }
  /// Writes `count` transactions, each with a new scenario.
  void write(int count) {
    for (int i = 0; i < count; ++i) {
      ChangeSet set = creation(scenario("scenario " + std::to_string(i)));
      set.authors.push_back(author);
      must_commit(set);
    }
  }
  [[nodiscard]] AuditReport verified(AuditCheck check = {}) const {
    check.keys = audit_keys(secrets);
    return verify_audit(store->snapshot(), check);
  }
  [[nodiscard]] std::vector<std::string> stored_records() const {
    std::vector<std::string> values;
    const Snapshot snapshot = store->snapshot();
    Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::audit]);
    for (bool there = cursor.first(); there; there = cursor.next()) values.emplace_back(cursor.value());
    return values;
  }
  /// Changes the data file without the committer; an empty value removes the record.
  void tamper(TableId table, std::string_view key, const std::string& value) {
    const Snapshot snapshot = store->snapshot();
    WriteTransaction transaction(RawSnapshot(snapshot).environment.handle());
    if (value.empty()) erase(transaction.handle(), RawSnapshot(snapshot)[table], key);
    if (!value.empty()) put(transaction.handle(), RawSnapshot(snapshot)[table], key, value);
    ASSERT_EQ(transaction.commit(), MDB_SUCCESS);
  }
  void tamper(std::uint64_t seq, const std::string& value) { tamper(TableId::audit, audit_key(seq), value); }

  ManualClock clock{noon};
  Secrets secrets{Key256{7}};
  Author author{Id{{1, 2, 3}}, Address{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 127, 0, 0, 1},
                "createScenario"};
};

/// A stored record moved to another sequence number, with a correct checksum.
inline std::string moved(const std::string& value, std::uint64_t seq) {
  return frame(audit_key(seq), 0, std::string_view(value).substr(frame_bytes));
}

}  // namespace parley::store
