#include "store/audit/auditor.hpp"

#include "model/limits.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::int64_t check_every_ms = 60'000;

/// Without a valid anchor, returns the head of an empty log.
AuditHead anchor_in(MDB_txn* transaction, const Environment& tables, const AuditKeys& keys) {
  std::optional<AuditHead> anchor;
  if (const auto stored = get(transaction, tables[TableId::meta], anchor_key))
    anchor = anchor_of(keys, payload_at(TableId::meta, anchor_key, *stored));
  return anchor.value_or(AuditHead{0, std::string(no_mac)});
}

AuditHead last_record(MDB_txn* transaction, const Environment& tables, const AuditKeys& keys) {
  Cursor cursor(transaction, tables[TableId::audit]);
  return cursor.last() ? head_at(cursor.key(), cursor.value()) : anchor_in(transaction, tables, keys);
}

}  // namespace

void Auditor::begin() {
  sets_.clear();
  authors_.clear();
  changes_.clear();
  count_ = 0;
}

void Auditor::open(const ChangeSet& set) {
  end_set();
  authors_ = set.authors;
}

void Auditor::note(TableId table, std::string_view key, std::optional<std::string_view> before,
                   std::string_view after) {
  if (!before && after.empty()) return;  // the value neither existed nor exists now
  ++count_;
  append_place(changes_, table, key);
  digester_.append(changes_, before);
  digester_.append(changes_, after.empty() ? std::nullopt : std::optional(after));
}

void Auditor::end_set() {
  if (count_ > 0) {
    append_u32(sets_, static_cast<std::uint32_t>(authors_.size()));
    for (const Author& author : authors_) append_author(sets_, author);
    append_u32(sets_, count_);
    sets_ += changes_;
  }
  changes_.clear();
  count_ = 0;
}

void Auditor::close(MDB_txn* transaction, const Environment& tables) {
  end_set();
  if (sets_.empty()) return;
  const Time now = options_.clock->now();
  put_record(transaction, tables, now);
  if (options_.retain_ms == 0 || now.ms - checked_.ms < check_every_ms) return;
  if (!remove_expired(transaction, tables, now, options_.retain_ms)) checked_ = now;
}

void Auditor::close_row(MDB_txn* transaction, const Environment& tables, Time time, std::int64_t retain_ms) {
  end_set();
  if (sets_.empty()) return;
  put_record(transaction, tables, time);
  if (retain_ms > 0) remove_expired(transaction, tables, time, retain_ms);
}

void Auditor::put_record(MDB_txn* transaction, const Environment& tables, Time now) {
  const AuditHead last = last_record(transaction, tables, options_.keys);
  std::string rest;
  rest.reserve(8 + sets_.size());
  append_u64(rest, static_cast<std::uint64_t>(now.ms));
  rest += sets_;
  const std::string key = audit_key(last.seq + 1);
  const std::string value = frame(key, 0, audit_payload(options_.keys, last.seq + 1, last.mac, rest));
  put(transaction, tables[TableId::audit], key, value);
}

/// Removes a bounded number of records, oldest first. The anchor then vouches for them. The newest record is
/// never removed.
bool Auditor::remove_expired(MDB_txn* transaction, const Environment& tables, Time now,
                             std::int64_t retain_ms) {
  std::vector<std::string> expired;
  std::string mac;
  const std::uint64_t anchored = anchor_in(transaction, tables, options_.keys).seq;
  Cursor cursor(transaction, tables[TableId::audit]);
  for (bool there = cursor.first(); there && expired.size() < limits::audit_let_go_max;
       there = cursor.next()) {
    const std::string_view payload = payload_at(TableId::audit, cursor.key(), cursor.value());
    const auto record = decode_audit(0, payload);
    if (!record || now.ms - record->time.ms < retain_ms) break;
    // A record that was tampered with is evidence, so it is kept, and so are all records after it. Records
    // under another key, up to the anchor, cannot be verified and are removed by age alone.
    const std::uint64_t seq = u64_at(cursor.key());
    if (seq > anchored && !is_sealed(options_.keys, seq, payload)) break;
    expired.emplace_back(cursor.key());
    mac = record->mac;
  }
  const bool may_be_more = expired.size() == limits::audit_let_go_max;
  if (expired.empty()) return false;
  for (const std::string& key : expired) erase(transaction, tables[TableId::audit], key);
  const std::uint64_t last = u64_at(expired.back());
  if (last <= anchored) return may_be_more;
  const std::string anchor = anchor_payload(options_.keys, {last, mac});
  put(transaction, tables[TableId::meta], anchor_key, frame(anchor_key, 0, anchor));
  return may_be_more;
}

}  // namespace parley::store
