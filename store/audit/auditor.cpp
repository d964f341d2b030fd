#include "store/audit/auditor.hpp"

#include "model/limits.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::int64_t look_every_ms = 60'000;

AuditHead last_record(MDB_txn* transaction, const Environment& tables, const AuditKeys& keys) {
  Cursor cursor(transaction, tables[TableId::audit]);
  if (cursor.last()) return head_at(cursor.key(), cursor.value());
  if (const auto stored = get(transaction, tables[TableId::meta], anchor_key)) {
    if (auto anchor = anchor_of(keys, Anchor::let_go, payload_at(TableId::meta, anchor_key, *stored)))
      return *anchor;
  }
  return {0, std::string(no_mac)};
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
  if (!before && after.empty()) return;  // nothing was there and nothing is
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
  const AuditHead last = last_record(transaction, tables, options_.keys);
  std::string rest;
  rest.reserve(8 + sets_.size());
  append_u64(rest, static_cast<std::uint64_t>(now.ms));
  rest += sets_;
  const std::string key = audit_key(last.seq + 1);
  const std::string value = frame(key, 0, audit_payload(options_.keys, last.seq + 1, last.mac, rest));
  put(transaction, tables[TableId::audit], key, value);
  let_go(transaction, tables, now);
}

std::uint64_t Auditor::another_key_until(MDB_txn* transaction, const Environment& tables) const {
  const auto stored = get(transaction, tables[TableId::meta], key_anchor_key);
  if (!stored) return 0;
  const std::string_view payload = payload_at(TableId::meta, key_anchor_key, *stored);
  const auto anchor = anchor_of(options_.keys, Anchor::another_key, payload);
  return anchor ? anchor->seq : 0;
}

/// Oldest first, a bounded number at a time; the anchor then vouches for what is gone. The newest one always stays.
void Auditor::let_go(MDB_txn* transaction, const Environment& tables, Time now) {
  if (options_.retain_ms == 0 || now.ms - looked_.ms < look_every_ms) return;
  std::vector<std::string> gone;
  std::string mac;
  const std::uint64_t foreign = another_key_until(transaction, tables);
  Cursor cursor(transaction, tables[TableId::audit]);
  for (bool there = cursor.first(); there && gone.size() < limits::audit_let_go_max; there = cursor.next()) {
    const std::string_view payload = payload_at(TableId::audit, cursor.key(), cursor.value());
    const auto record = decode_audit(0, payload);
    if (!record || now.ms - record->time.ms < options_.retain_ms) break;
    // A record that was tampered with stays, and with it all behind it: it is evidence.
    const std::uint64_t seq = u64_at(cursor.key());
    if (seq > foreign && !is_sealed(options_.keys, seq, payload)) break;
    gone.emplace_back(cursor.key());
    mac = record->mac;
  }
  if (gone.size() < limits::audit_let_go_max) looked_ = now;
  if (gone.empty()) return;
  for (const std::string& key : gone) erase(transaction, tables[TableId::audit], key);
  if (u64_at(gone.back()) <= foreign) return;  // the key anchor vouches for more
  const std::string anchor = anchor_payload(options_.keys, Anchor::let_go, {u64_at(gone.back()), mac});
  put(transaction, tables[TableId::meta], anchor_key, frame(anchor_key, 0, anchor));
}

}  // namespace parley::store
