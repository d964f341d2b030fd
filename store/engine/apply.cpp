#include "store/engine/apply.hpp"

#include <algorithm>

#include "model/description/stored_reader.hpp"
#include "model/records/status_moves.hpp"
#include "store/engine/last_entry.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

/// Applies one change set.
class Application {
 public:
  Application(MDB_txn* transaction, const Environment& tables, Auditor* auditor)
      : transaction_(transaction), tables_(tables), auditor_(auditor) {}

  [[nodiscard]] bool holds(const ChangeSet& set) const {
    return std::all_of(set.writes.begin(), set.writes.end(),
                       [&](const Write& write) {
                         return write.expected == any_revision ||
                                revision_of(write.table, write.key) == write.expected;
                       }) &&
           std::all_of(set.guards.begin(), set.guards.end(),
                       [&](const RevisionGuard& guard) {
                         return revision_of(guard.table, guard.key) == guard.revision;
                       }) &&
           std::all_of(set.runs.begin(), set.runs.end(),
                       [&](const RunGuard& guard) { return is_idle(guard.run) == guard.is_idle; });
  }

  void write(const Write& write) {
    if (write.table == TableId::notices && !write.value.empty() && !has_webhooks()) return;
    applied.records += 1;
    applied.bytes += write.key.size() + write.value.size();
    if (auditor_ != nullptr && is_audited(write.table)) {
      const bool is_new = write.expected == 0;  // the guard has verified this
      const auto before = is_new ? std::nullopt : get(transaction_, tables_[write.table], write.key);
      auditor_->note(write.table, write.key, before, write.value);
    }
    if (write.value.empty()) {
      erase(transaction_, tables_[write.table], write.key);
    } else {
      put(transaction_, tables_[write.table], write.key, write.value);
    }
  }

  /// Handles one result at a time, so that ten thousand results need no sorted collection of all their rows.
  /// Only the sums are kept until the end.
  void cancel_live(const CancelLive& operation, ChangeSet* plain) {
    ViewChanges sums;
    Cursor entries(transaction_, tables_[TableId::entries]);
    for (const Id& id : live_of(operation.run)) {
      const ResultHead before = head_of(id);
      ResultHead after = before;
      move_status(after, ResultStatus::canceled);
      if (!after.end_reason) after.end_reason = EndReason::canceled;
      const Newest newest = newest_in(entries, before);
      after.stamp.updated_at = std::max(operation.now, Time{newest.change.ms + 1});
      if (newest.entries > 0) after.entries = newest.entries;
      ChangeSet one;
      one.replace(before, after);
      for (const Write& head : one.writes) write(head);
      write_index(one.views);
      add_sums(sums, one.views);
      applied.canceled.push_back(id);
      if (plain == nullptr) continue;
      for (Write& head : one.writes) plain->writes.push_back(std::move(head));
      for (const auto& [key, change] : one.views.index) plain->views.index[key] += change;
    }
    write_sums(sums);
    if (plain != nullptr) add_sums(plain->views, sums);
  }

  void write_views(const ViewChanges& views) {
    write_index(views);
    write_sums(views);
  }

  Applied applied;

 private:
  /// Without a webhook, no notices are written, because nothing would remove them.
  [[nodiscard]] bool has_webhooks() const {
    return get(transaction_, tables_[TableId::counts], slice_key({RecordKind::webhook})).has_value();
  }

  void write_index(const ViewChanges& views) {
    const MDB_dbi index = tables_[TableId::index];
    for (const auto& [key, change] : views.index) {
      if (change > 0) put(transaction_, index, key, {});
      if (change < 0) erase(transaction_, index, key);
    }
  }

  void write_sums(const ViewChanges& views) {
    for (const auto& [key, change] : views.counts) add_count(key, change);
    for (const auto& [run, share] : views.runs)
      add_counters(TableId::run_counters, std::string(run.key()), share);
    for (const auto& [place, share] : views.cases) {
      add_counters(TableId::case_counters, case_key(place.first, place.second), share);
    }
  }

  [[nodiscard]] std::optional<ValueView> value(TableId table, std::string_view key) const {
    const auto stored = get(transaction_, tables_[table], key);
    if (!stored) return std::nullopt;
    const auto checked = unframe(table, key, *stored);
    const auto* good = std::get_if<ValueView>(&checked);
    if (good == nullptr) throw CorruptError({table, std::string(key)});
    return *good;
  }

  /// 0 if the record does not exist.
  [[nodiscard]] std::uint64_t revision_of(TableId table, std::string_view key) const {
    const auto found = value(table, key);
    return found ? found->revision : 0;
  }

  template <class Counters>
  [[nodiscard]] Counters counters_at(TableId table, std::string_view key) const {
    const auto found = value(table, key);
    if (!found) return {};
    const auto counters = decode_counters<Counters>(found->payload);
    if (!counters) throw CorruptError({table, std::string(key)});
    return *counters;
  }

  [[nodiscard]] bool is_idle(const Id& run) const {
    return counters_at<RunCounters>(TableId::run_counters, run.key()).live == 0;
  }

  [[nodiscard]] std::vector<Id> live_of(const Id& run) const {
    std::vector<Id> ids;
    const std::string prefix = slice_key({RecordKind::test_result, Facet::live_of_run, value_of(run)});
    Cursor cursor(transaction_, tables_[TableId::index]);
    for (bool there = cursor.seek(prefix); there && cursor.key().starts_with(prefix); there = cursor.next()) {
      ids.push_back(id_at(cursor.key().substr(prefix.size())));
    }
    return ids;
  }

  [[nodiscard]] ResultHead head_of(const Id& id) const {
    const auto found = value(TableId::result_heads, id.key());
    ResultHead head;
    if (!found || !parse_stored(found->payload, head)) {
      throw CorruptError({TableId::result_heads, std::string(id.key())});
    }
    head.stamp.id = id;
    head.stamp.revision = found->revision;
    return head;
  }

  /// A result whose last entry is damaged is canceled too: its time cannot be shown anyway.
  [[nodiscard]] static Newest newest_in(Cursor& entries, const ResultHead& head) {
    return newest_of(entries, head.stamp).value_or(Newest{head.stamp.updated_at});
  }

  void add_count(const std::string& key, std::int64_t change) {
    if (change == 0) return;
    const auto found = value(TableId::counts, key);
    if (found && found->payload.size() != 8) throw CorruptError({TableId::counts, key});
    const std::int64_t sum = (found ? static_cast<std::int64_t>(u64_at(found->payload)) : 0) + change;
    if (sum == 0) return erase(transaction_, tables_[TableId::counts], key);
    std::string payload;
    append_u64(payload, static_cast<std::uint64_t>(sum));
    put(transaction_, tables_[TableId::counts], key, frame(key, 0, payload));
  }

  template <class Counters>
  void add_counters(TableId table, const std::string& key, const Counters& share) {
    if (is_zero(share)) return;
    auto sum = counters_at<Counters>(table, key);
    add(sum, share, 1);
    if (is_zero(sum)) return erase(transaction_, tables_[table], key);
    put(transaction_, tables_[table], key, frame(key, 0, encode_counters(sum)));
  }

  MDB_txn* transaction_;
  const Environment& tables_;
  Auditor* auditor_;
};

Applied applied_by(Application work, const ChangeSet& set, Auditor* auditor, ChangeSet* plain) {
  if (!work.holds(set)) {
    work.applied.is_conflict = true;
    return std::move(work.applied);
  }
  if (auditor != nullptr) auditor->open(set);
  for (const CancelLive& operation : set.cancels) work.cancel_live(operation, plain);
  for (const Write& write : set.writes) work.write(write);
  work.write_views(set.views);
  return std::move(work.applied);
}

/// Adds the rest of the set after the writes that replaced its cancels.
void add_rest(ChangeSet& plain, const ChangeSet& set) {
  plain.writes.insert(plain.writes.end(), set.writes.begin(), set.writes.end());
  for (const auto& [key, change] : set.views.index) plain.views.index[key] += change;
  add_sums(plain.views, set.views);
  plain.guards = set.guards;
  plain.runs = set.runs;
  plain.authors = set.authors;
}

}  // namespace

Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set, Auditor* auditor) {
  return applied_by(Application(transaction, tables, auditor), set, auditor, nullptr);
}

Applied apply(MDB_txn* transaction, const Environment& tables, const ChangeSet& set, Auditor* auditor,
              std::optional<ChangeSet>& explicit_set) {
  if (set.cancels.empty()) return apply(transaction, tables, set, auditor);
  ChangeSet plain;
  Applied applied = applied_by(Application(transaction, tables, auditor), set, auditor, &plain);
  if (applied.is_conflict) return applied;
  add_rest(plain, set);
  explicit_set = std::move(plain);
  return applied;
}

}  // namespace parley::store
