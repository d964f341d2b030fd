#include "store/changelog/row_application.hpp"

#include <optional>

#include "model/limits.hpp"

namespace parley::store {
namespace {

LogPlace after(const LogPlace& place, std::string_view body) {
  return {place.log, next_position(place.at, body), place.at.digest};
}

/// Whether all sets were applied. A row never contains a set that conflicts.
bool apply_sets(MDB_txn* transaction, const Environment& tables, const Batch& batch, Auditor* auditor) {
  for (const ChangeSet& set : batch.sets)
    if (apply(transaction, tables, set, auditor).is_conflict) return false;
  return true;
}

/// Clears the authors, because the sets outlive the text that the operations of the authors point into.
ReplayedRow news_of(const LogRow& row, Batch batch) {
  ReplayedRow news{row.at, std::move(batch.sets), {}};
  for (ChangeSet& set : news.sets) set.authors.clear();
  news.outcomes.resize(news.sets.size());
  return news;
}

}  // namespace

void put_place(MDB_txn* transaction, const Environment& tables, const LogPlace& place) {
  put(transaction, tables[TableId::meta], log_place_key, frame(log_place_key, 0, encode_place(place)));
}

Draft drafted(MDB_txn* transaction, const Environment& tables, std::span<const ChangeSet> batch,
              const LogWriter& log, Auditor& auditor, Time now) {
  const AuditRules rules = log.link().audit;
  Auditor* const used = rules.is_on ? &auditor : nullptr;
  Draft draft;
  std::vector<std::optional<ChangeSet>> plain(batch.size());
  std::vector<const ChangeSet*> kept;
  auditor.begin();
  for (std::size_t i = 0; i < batch.size(); ++i) {
    Applied applied = apply(transaction, tables, batch[i], used, plain[i]);
    draft.records += applied.records;
    draft.bytes += applied.bytes;
    const auto kind = applied.is_conflict ? Outcome::Kind::conflict : Outcome::Kind::committed;
    draft.outcomes.push_back({kind, {}, std::move(applied.canceled)});
    if (!applied.is_conflict) kept.push_back(plain[i] ? &*plain[i] : &batch[i]);
  }
  if (kept.empty()) return draft;
  if (used != nullptr) auditor.close_row(transaction, tables, now, rules.retain_ms);
  draft.body = encode_changes(kept, rules);
  draft.place = after(log.place(), draft.body);
  put_place(transaction, tables, draft.place);
  return draft;
}

std::size_t apply_rows(MDB_txn* transaction, const Environment& tables, std::span<const LogRow> rows,
                       Auditor& auditor, LogPlace& place, std::vector<ReplayedRow>& replayed) {
  std::size_t done = 0;
  std::size_t sets = 0;
  std::size_t bytes = 0;
  for (const LogRow& row : rows) {
    if (row.at.seq <= place.at.seq) {
      ++done;
      continue;
    }
    const LogPlace next = after(place, row.body);
    const bool follows = next.at == row.at && row.rules == tables.schema();
    auto batch = decode_changes(row.body);
    if (!follows || !batch) break;  // the rows before it are valid
    if (done > 0 && sets + batch->sets.size() > limits::batch_change_sets_max) break;
    auditor.begin();
    if (!apply_sets(transaction, tables, *batch, batch->audit.is_on ? &auditor : nullptr)) return 0;
    if (batch->audit.is_on) auditor.close_row(transaction, tables, row.time, batch->audit.retain_ms);
    place = next;
    sets += batch->sets.size();
    bytes += row.body.size();
    replayed.push_back(news_of(row, std::move(batch).value()));
    ++done;
    if (bytes > limits::batch_bytes_max) break;
  }
  put_place(transaction, tables, place);
  return done;
}

}  // namespace parley::store
