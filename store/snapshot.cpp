#include "store/snapshot.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "model/limits.hpp"
#include "store/engine/environment.hpp"
#include "store/engine/last_entry.hpp"
#include "store/engine/raw_snapshot.hpp"
#include "store/engine/row_keys.hpp"

namespace parley::store {
namespace {

std::int64_t now_ns() {
  return std::chrono::steady_clock::now().time_since_epoch().count();
}

std::optional<ExpectedCase> expected_case(const json::Value& row) {
  const auto parts = row.children();
  if (parts.size() != 2 || !parts[0].is(json::Kind::string) || !parts[1].is(json::Kind::number))
    return std::nullopt;
  const auto test = id_from_text(parts[0].string());
  const auto count = parts[1].integer();
  if (!test || !count) return std::nullopt;
  return ExpectedCase{*test, *count};
}

std::vector<Id> ids_of(const Snapshot& snapshot, const Slice& slice, const Id& after, std::size_t most) {
  std::vector<Id> ids;
  const std::string prefix = slice_key(slice);
  Cursor cursor(RawSnapshot(snapshot).transaction, RawSnapshot(snapshot)[TableId::index]);
  const std::string from = index_key(slice, after);
  for (bool there = cursor.seek(from); there && ids.size() < most; there = cursor.next()) {
    if (!cursor.key().starts_with(prefix)) break;
    if (cursor.key() != from) ids.push_back(id_at(cursor.key().substr(prefix.size())));
  }
  return ids;
}

}  // namespace

Snapshot::Snapshot(Environment& environment)
    : environment_(&environment), transaction_(environment.begin_read()), taken_ns_(now_ns()) {}

Snapshot::~Snapshot() {
  if (transaction_ != nullptr)
    environment_->end_read(transaction_, std::chrono::nanoseconds(now_ns() - taken_ns_));
}

Snapshot::Snapshot(Snapshot&& other) noexcept
    : environment_(other.environment_),
      transaction_(std::exchange(other.transaction_, nullptr)),
      taken_ns_(other.taken_ns_) {}

Problem Snapshot::report(TableId table, std::string_view key) const {
  environment_->count_corrupt_read();
  return problem_of(Corrupt{table, std::string(key)});
}

Expected<Done> Snapshot::lost_part(const ResultHead& head, TableId table, std::string_view key) const {
  if (!has(RecordKind::test_result, head.stamp.id)) return Done{};
  return report(table, key);
}

Expected<std::optional<ValueView>> Snapshot::value(TableId table, std::string_view key) const {
  const auto stored = get(transaction_, (*environment_)[table], key);
  if (!stored) return std::optional<ValueView>{};
  const auto checked = unframe(table, key, *stored);
  const auto* good = std::get_if<ValueView>(&checked);
  if (good == nullptr) return report(table, key);
  return std::optional(*good);
}

bool Snapshot::has(RecordKind kind, const Id& id) const {
  return get(transaction_, (*environment_)[table_of(kind)], id.key()).has_value();
}

bool Snapshot::is_listed(RecordKind kind, const Id& id) const {
  const MDB_dbi index = (*environment_)[TableId::index];
  return std::any_of(all_shelves.begin(), all_shelves.end(), [&](Shelf shelf) {
    return get(transaction_, index, index_key({kind, Facet::all, nil_value, shelf}, id)).has_value();
  });
}

std::uint32_t Snapshot::entry_count(const Id& result) const {
  Cursor cursor(transaction_, (*environment_)[TableId::entries]);
  if (!seek_last_entry(cursor, result)) return 0;
  return u32_at(cursor.key().substr(id_bytes)) + 1;
}

Expected<Time> Snapshot::newest_change(const ResultHead& head) const {
  Cursor cursor(transaction_, (*environment_)[TableId::entries]);
  const auto newest = newest_of(cursor, head.stamp);
  if (!newest) return report(TableId::entries, cursor.key());
  if (newest->entries < head.entries.value_or(0)) {
    TRY(deleted, lost_part(head, TableId::entries, entry_key(head.stamp.id, newest->entries)));
  }
  return newest->change;
}

std::optional<StoredEntry> Snapshot::shown_entry(std::string_view payload) const {
  auto entry = decode_entry(payload);
  auto mended = entry ? mended_entry(entry->json) : std::nullopt;
  if (!mended) return entry;
  environment_->count_corrupt_read();
  entry->mended = std::make_shared<const std::string>(std::move(*mended));
  entry->json = *entry->mended;
  return entry;
}

Expected<std::optional<StoredEntry>> Snapshot::entry(const Id& result, std::uint32_t ordinal) const {
  const std::string key = entry_key(result, ordinal);
  TRY(found, value(TableId::entries, key));
  if (!found) return std::optional<StoredEntry>{};
  auto decoded = shown_entry(found->payload);
  if (!decoded) return report(TableId::entries, key);
  return decoded;
}

Expected<std::optional<StoredEntry>> Snapshot::entry(const ResultHead& head, std::uint32_t ordinal) const {
  TRY(found, entry(head.stamp.id, ordinal));
  if (found) return found;
  TRY(deleted, lost_part(head, TableId::entries, entry_key(head.stamp.id, ordinal)));
  return found;
}

Expected<std::vector<std::uint32_t>> Snapshot::order(const Id& result) const {
  std::vector<std::uint32_t> ordinals;
  TRY(found, value(TableId::entry_orders, result.key()));
  if (!found) return ordinals;
  for (std::string_view rest = found->payload; rest.size() >= 4; rest.remove_prefix(4)) {
    ordinals.push_back(u32_at(rest));
  }
  return ordinals;
}

Expected<bool> Snapshot::walk_on(const Id& result, const EntryVisitor& visit, std::uint32_t bound,
                                 std::uint32_t& next) const {
  Cursor cursor(transaction_, (*environment_)[TableId::entries]);
  const bool has_order = next > 0;
  std::string key = entry_key(result, next);
  bool there = cursor.seek(key);
  for (; there && cursor.key().starts_with(result.key()) && next < bound; there = cursor.next()) {
    if (cursor.key() != key) return report(TableId::entries, key);
    const auto checked = unframe(TableId::entries, key, cursor.value());
    const auto* good = std::get_if<ValueView>(&checked);
    const auto decoded = good != nullptr ? shown_entry(good->payload) : std::nullopt;
    if (!decoded) return report(TableId::entries, key);
    if (decoded->is_inserted && !has_order) return report(TableId::entry_orders, result.key());
    if (!visit(next++, *decoded)) return false;
    key.resize(id_bytes);
    append_u32(key, next);
  }
  // Keys are ordered, so a smaller key is a damaged key of an entry.
  if (there && cursor.key() < key) return report(TableId::entries, cursor.key());
  return true;
}

Expected<Done> Snapshot::walk(const Id& result, const EntryVisitor& visit, std::uint32_t bound,
                              const ResultHead* head) const {
  TRY(ordinals, order(result));
  for (const std::uint32_t ordinal : ordinals) {
    if (ordinal >= bound) continue;
    TRY(found, entry(result, ordinal));
    if (!found && head == nullptr) return report(TableId::entry_orders, result.key());
    if (!found) return lost_part(*head, TableId::entry_orders, result.key());
    if (!visit(ordinal, *found)) return Done{};
  }
  auto next = static_cast<std::uint32_t>(ordinals.size());
  TRY(ended, walk_on(result, visit, bound, next));
  if (!ended || head == nullptr) return Done{};
  const auto entries_count = bound == no_bound ? head->entries.value_or(0) : std::int64_t{bound};
  if (next >= entries_count) return Done{};
  return lost_part(*head, TableId::entries, entry_key(result, next));
}

Expected<Done> Snapshot::for_each_entry(const Id& result, const EntryVisitor& visit,
                                        std::uint32_t bound) const {
  return walk(result, visit, bound, nullptr);
}

Expected<Done> Snapshot::for_each_entry(const ResultHead& head, const EntryVisitor& visit,
                                        std::uint32_t bound) const {
  return walk(head.stamp.id, visit, bound, &head);
}

Expected<std::optional<ResultVerdict>> Snapshot::verdict(const ResultHead& head) const {
  if (head.rescored == 0) return part<ResultVerdict>(head);
  TRY(found, verdict(head.stamp.id, head.rescored));
  if (found) return found;
  TRY(deleted, lost_part(head, TableId::result_verdicts, head.stamp.id.key()));
  return found;
}

Expected<std::optional<ResultVerdict>> Snapshot::verdict(const Id& result, std::int64_t rescored) const {
  if (rescored == 0) return find<ResultVerdict>(result);
  const std::string key = verdict_key(result, rescored + 1);
  TRY(found, value(TableId::later_verdicts, key));
  if (!found) {
    TRY(first, find<ResultVerdict>(result));
    // Schema 5 kept all verdicts in the first record. If that record has fewer, a later one was lost.
    const auto most = static_cast<std::int64_t>(limits::verdicts_kept_max);
    if (first && std::ssize(first->replaced) < std::min(rescored, most))
      return report(TableId::later_verdicts, key);
    return first;
  }
  std::optional<ResultVerdict> verdict(std::in_place);
  if (!parse_stored(found->payload, *verdict)) return report(TableId::later_verdicts, key);
  return verdict;
}

Expected<RunCounters> Snapshot::run_counters(const Id& run) const {
  TRY(found, value(TableId::run_counters, run.key()));
  if (!found) return RunCounters{};
  const auto counters = decode_counters<RunCounters>(found->payload);
  if (!counters) return report(TableId::run_counters, run.key());
  return *counters;
}

Expected<CaseCounters> Snapshot::case_counters(const Id& run, const Id& test) const {
  const std::string key = case_key(run, test);
  TRY(found, value(TableId::case_counters, key));
  if (!found) return CaseCounters{};
  const auto counters = decode_counters<CaseCounters>(found->payload);
  if (!counters) return report(TableId::case_counters, key);
  return *counters;
}

Expected<Done> Snapshot::for_each_case(const Id& run, const CaseVisitor& visit) const {
  Cursor cursor(transaction_, (*environment_)[TableId::case_counters]);
  for (bool there = cursor.seek(run.key()); there; there = cursor.next()) {
    const std::string_view key = cursor.key();
    if (!key.starts_with(run.key())) break;
    const Id test = id_at(key.substr(id_bytes));
    TRY(counters, case_counters(run, test));
    visit(test, counters);
  }
  return Done{};
}

Expected<std::vector<ExpectedCase>> Snapshot::run_cases(const Id& run) const {
  std::vector<ExpectedCase> cases;
  TRY(found, value(TableId::run_cases, run.key()));
  if (!found) return cases;
  const auto document = json::parse(found->payload);
  if (!document) return report(TableId::run_cases, run.key());
  for (const json::Value& row : document->root().children()) {
    const auto expected = expected_case(row);
    if (!expected) return report(TableId::run_cases, run.key());
    cases.push_back(*expected);
  }
  return cases;
}

Expected<std::optional<Id>> Snapshot::unique(Namespace space, std::string_view name) const {
  if (!may_be_name(name)) return std::optional<Id>{};
  TRY(found, value(TableId::unique, unique_key(space, name)));
  if (!found) return std::optional<Id>{};
  return std::optional(id_at(found->payload));
}

Expected<std::optional<Lineage>> Snapshot::lineage(const Id& root) const {
  TRY(found, value(TableId::lineages, root.key()));
  if (!found) return std::optional<Lineage>{};
  return std::optional(Lineage{id_at(found->payload), found->revision});
}

Expected<std::optional<std::string>> Snapshot::remembered(std::string_view idempotency_key) const {
  if (!may_be_name(idempotency_key)) return std::optional<std::string>{};
  TRY(found, value(TableId::idempotency, idempotency_key));
  if (!found) return std::optional<std::string>{};
  return std::optional(std::string(found->payload));
}

std::vector<Id> Snapshot::ids_in(const Slice& slice, const Id& after, std::size_t most) const {
  return ids_of(*this, slice, after, most);
}

std::vector<Id> Snapshot::owed(const Id& after, std::size_t most) const {
  return ids_of(*this, {RecordKind::test_result, Facet::owed}, after, most);
}

std::vector<Id> Snapshot::live_of_run(const Id& run, const Id& after, std::size_t most) const {
  return ids_of(*this, {RecordKind::test_result, Facet::live_of_run, value_of(run)}, after, most);
}

}  // namespace parley::store
