#pragma once
/// The reader of the store: one consistent state, as of its creation (I56). Views that it returns are valid as
/// long as the snapshot.
/// Thread: created and used on any thread, one at a time. Bound: hold it for at most a second; an old snapshot
/// keeps the data file from reusing pages (F11).
/// Problem: `internal` if a stored value does not verify (I13); Usage counts such reads.

#include <functional>
#include <optional>
#include <string_view>
#include <vector>

#include "model/description/stored_reader.hpp"
#include "model/expected.hpp"
#include "store/engine/entry_codec.hpp"
#include "store/engine/value.hpp"
#include "store/tables.hpp"
#include "store/views/aggregates.hpp"
#include "store/views/facets.hpp"

struct MDB_txn;

namespace parley::store {

class Environment;

/// The newest result of a chain of retries; `revision` is what put_lineage expects.
struct Lineage {
  Id newest;
  std::uint64_t revision = 0;
};

/// Returns false to stop the walk.
using EntryVisitor = std::function<bool(std::uint32_t ordinal, const StoredEntry& entry)>;
using CaseVisitor = std::function<void(const Id& test, const CaseCounters& counters)>;

inline constexpr std::uint32_t no_bound = UINT32_MAX;

class Snapshot {
 public:
  explicit Snapshot(Environment& environment);
  ~Snapshot();
  Snapshot(Snapshot&& other) noexcept;
  Snapshot& operator=(Snapshot&&) = delete;

  /// The record `id` with its stamp; nullopt if it does not exist. A part has the id of its result.
  template <Stored T>
  [[nodiscard]] Expected<std::optional<T>> find(const Id& id) const {
    return read<T>(table_of<T>().id, id);
  }
  /// As above, for a record that other records refer to: nullopt if it never existed or was deleted. Problem:
  /// also `internal` if lists show it but it is missing.
  template <Stamped T>
  [[nodiscard]] Expected<std::optional<T>> find_listed(const Id& id) const {
    TRY(found, find<T>(id));
    if (!found && is_listed(T::kind, id)) return report(table_of<T>().id, id.key());
    return found;
  }
  /// A part of a result; nullopt if the head does not mention the part, or the result was deleted after the
  /// head was read.
  /// Problem: `internal` if the head mentions the part and it is missing.
  template <Part T>
  [[nodiscard]] Expected<std::optional<T>> part(const ResultHead& head) const {
    TRY(found, find<T>(head.stamp.id));
    if (found || !must_have<T>(head)) return found;
    TRY(deleted, lost_part(head, table_of<T>().id, head.stamp.id.key()));
    return found;
  }
  /// The stored JSON text, for splicing or scanning.
  template <Stored T>
  [[nodiscard]] Expected<std::optional<ValueView>> raw(const Id& id) const {
    return value(table_of<T>().id, id.key());
  }
  /// Whether the record exists; cheaper than find.
  [[nodiscard]] bool has(RecordKind kind, const Id& id) const;

  /// Whether lists show the record. If they do and find does not return it, the record was lost.
  [[nodiscard]] bool is_listed(RecordKind kind, const Id& id) const;

  /// The current verdict; nullopt before the first one.
  [[nodiscard]] Expected<std::optional<ResultVerdict>> verdict(const ResultHead& head) const;
  /// The verdict of a result after it was scored again `rescored` times; nullopt before the first scoring.
  [[nodiscard]] Expected<std::optional<ResultVerdict>> verdict(const Id& result, std::int64_t rescored) const;

  /// The number of entries, without a walk.
  [[nodiscard]] std::uint32_t entry_count(const Id& result) const;
  /// The updatedAt of the whole result (D7): that of its head, or of its last entry if that is newer.
  [[nodiscard]] Expected<Time> newest_change(const ResultHead& head) const;
  /// The entry with number `ordinal` in order of creation, from 0.
  [[nodiscard]] Expected<std::optional<StoredEntry>> entry(const Id& result, std::uint32_t ordinal) const;
  /// As above, for an entry that is known to have existed; nullopt if the result was deleted after the head was
  /// read.
  /// Problem: `internal` if the entry is missing and the result is not.
  [[nodiscard]] Expected<std::optional<StoredEntry>> entry(const ResultHead& head,
                                                           std::uint32_t ordinal) const;
  /// The ordinals in conversation order, as put_order stored them; empty if no entries were inserted.
  [[nodiscard]] Expected<std::vector<std::uint32_t>> order(const Id& result) const;
  /// Visits the entries in conversation order, only those with an ordinal below `bound` (I35). Problem:
  /// `internal` if an entry between two others, or the position of inserted entries, is lost.
  [[nodiscard]] Expected<Done> for_each_entry(const Id& result, const EntryVisitor& visit,
                                              std::uint32_t bound = no_bound) const;
  /// As above. Fewer entries than the head or the bound promises also count as damage.
  [[nodiscard]] Expected<Done> for_each_entry(const ResultHead& head, const EntryVisitor& visit,
                                              std::uint32_t bound = no_bound) const;

  /// All zeros for a run without results.
  [[nodiscard]] Expected<RunCounters> run_counters(const Id& run) const;
  [[nodiscard]] Expected<CaseCounters> case_counters(const Id& run, const Id& test) const;
  /// Visits all tests of the run that have results, by id. The first id is nil, for results without a test.
  [[nodiscard]] Expected<Done> for_each_case(const Id& run, const CaseVisitor& visit) const;
  [[nodiscard]] Expected<std::vector<ExpectedCase>> run_cases(const Id& run) const;

  [[nodiscard]] Expected<std::optional<Id>> unique(Namespace space, std::string_view name) const;
  [[nodiscard]] Expected<std::optional<Lineage>> lineage(const Id& root) const;
  [[nodiscard]] Expected<std::optional<std::string>> remembered(std::string_view idempotency_key) const;

  /// The ids of a slice, oldest first, after `after`.
  [[nodiscard]] std::vector<Id> ids_in(const Slice& slice, const Id& after, std::size_t most) const;
  /// Results for which the service has work, oldest first, after `after`.
  [[nodiscard]] std::vector<Id> owed(const Id& after = {}, std::size_t most = SIZE_MAX) const;
  /// Pending and running results of the run, oldest first, after `after`.
  [[nodiscard]] std::vector<Id> live_of_run(const Id& run, const Id& after = {},
                                            std::size_t most = SIZE_MAX) const;

  /// For a stored value that is damaged or missing: counts the damage and returns the problem.
  [[nodiscard]] Problem report(TableId table, std::string_view key) const;
  /// For a missing part that the head mentions: returns its problem, or Done if the result was deleted in the meantime.
  [[nodiscard]] Expected<Done> lost_part(const ResultHead& head, TableId table, std::string_view key) const;

  /// A verified value of any table; see the formats in tables.hpp. For store/ and its tools.
  [[nodiscard]] Expected<std::optional<ValueView>> value(TableId table, std::string_view key) const;

 private:
  friend struct RawSnapshot;

  /// Callers splice the text into responses, so it must be JSON. Metadata from an earlier version that is not
  /// JSON counts as damage and is shown as repaired by mended_entry.
  [[nodiscard]] std::optional<StoredEntry> shown_entry(std::string_view payload) const;
  /// Continues from ordinal `next`, after the entries that have explicit positions, and sets `next` to the end
  /// of the walk. False: the visitor stopped.
  [[nodiscard]] Expected<bool> walk_on(const Id& result, const EntryVisitor& visit, std::uint32_t bound,
                                       std::uint32_t& next) const;
  /// With a head: fewer entries than the head or the bound promises count as damage.
  [[nodiscard]] Expected<Done> walk(const Id& result, const EntryVisitor& visit, std::uint32_t bound,
                                    const ResultHead* head) const;

  template <class T>
  [[nodiscard]] Expected<std::optional<T>> read(TableId table, const Id& id) const {
    TRY(found, value(table, id.key()));
    if (!found) return std::optional<T>{};
    std::optional<T> record(std::in_place);
    if (!parse_stored(found->payload, *record)) return report(table, id.key());
    if constexpr (Stamped<T>) {
      record->stamp.id = id;
      record->stamp.revision = found->revision;
    }
    return record;
  }

  Environment* environment_;
  MDB_txn* transaction_;
  std::int64_t taken_ns_;
};

}  // namespace parley::store
