#include "store/side/notices.hpp"

#include "store/engine/lmdb.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

constexpr std::uint64_t notice_revision = 1;
constexpr std::size_t notice_key_bytes = id_bytes + 1 + 8;

std::string notice_key(const Notice& notice) {
  std::string key(notice.subject.key());
  key += static_cast<char>(notice.kind);
  append_u64(key, notice.revision);
  return key;
}

std::optional<Notice> read_notice(std::string_view key, std::string_view payload) {
  const bool is_whole = payload.size() == 8 || payload.size() == 8 + id_bytes;
  if (key.size() != notice_key_bytes || !is_whole) return std::nullopt;
  Notice notice;
  notice.subject = id_at(key);
  notice.kind = static_cast<NoticeKind>(key[id_bytes]);
  notice.revision = u64_at(key.substr(id_bytes + 1));
  notice.at.ms = static_cast<std::int64_t>(u64_at(payload));
  if (payload.size() > 8) notice.webhook = id_at(payload.substr(8));
  return notice;
}

}  // namespace

void put_notice(ChangeSet& changes, const Notice& notice) {
  std::string key = notice_key(notice);
  std::string payload;
  append_u64(payload, static_cast<std::uint64_t>(notice.at.ms));
  if (notice.webhook) payload += notice.webhook->key();
  std::string value = frame(key, notice_revision, payload);
  changes.writes.push_back({TableId::notices, std::move(key), any_revision, std::move(value)});
}

void erase_notice(ChangeSet& changes, const Notice& notice) {
  changes.writes.push_back({TableId::notices, notice_key(notice), notice_revision, {}});
}

std::vector<Notice> notices(const Snapshot& snapshot, std::size_t most) {
  std::vector<Notice> found;
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::notices]);
  for (bool there = cursor.first(); there && found.size() < most; there = cursor.next()) {
    const auto value = unframe(TableId::notices, cursor.key(), cursor.value());
    const auto* good = std::get_if<ValueView>(&value);
    auto notice = good == nullptr ? std::nullopt : read_notice(cursor.key(), good->payload);
    if (notice) found.push_back(*notice);
  }
  return found;
}

bool is_failure(const ResultHead& head) {
  return head.status == ResultStatus::failed || (head.has_outcome() && !head.overall_passed);
}

void ChangeSet::note_change(const Run* before, const Run& after, std::uint64_t revision) {
  const Time at = after.stamp.updated_at;
  if (is_terminal(after.status) && (before == nullptr || !is_terminal(before->status)))
    put_notice(*this, {NoticeKind::run_ended, after.stamp.id, revision, at, {}});
  const bool may_turn = before != nullptr && before->metadata != after.metadata;
  if (may_turn && gate_of(after) == "red" && gate_of(*before) != "red")
    put_notice(*this, {NoticeKind::gate_red, after.stamp.id, revision, at, {}});
}

void ChangeSet::note_change(const ResultHead* before, const ResultHead& after, std::uint64_t revision) {
  if (!is_failure(after) || (before != nullptr && is_failure(*before))) return;
  put_notice(*this, {NoticeKind::result_failed, after.stamp.id, revision, after.stamp.updated_at, {}});
}

}  // namespace parley::store
