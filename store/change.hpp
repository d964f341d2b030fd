#pragma once
/// A change set: the writes of one decision, each with the revision that the decision was based on, and the
/// conditions that must still hold (docs/adr/0003). It is committed as a whole or not at all. A plain value.
/// Thread: built by one owner on any thread, then handed to the committer.
/// Order: all guards are checked before the first write, so a guard refers to the state before the set.

#include <span>
#include <string>
#include <vector>

#include "model/description/record_write.hpp"
#include "store/audit/author.hpp"
#include "store/engine/entry_codec.hpp"
#include "store/engine/value.hpp"
#include "store/views/views.hpp"

namespace parley::store {

/// The revision of a Write that any state may precede, because another guard of the set covers the record.
inline constexpr std::uint64_t any_revision = UINT64_MAX;

/// One record to write or remove.
struct Write {
  TableId table;
  std::string key;
  std::uint64_t expected = 0;  ///< revision that the decision was based on; 0: the record must not exist
  std::string value;           ///< framed; empty: remove the record
};

/// A record that the set does not write but that must still have this revision.
struct RevisionGuard {
  TableId table;
  std::string key;
  std::uint64_t revision = 0;
};

/// Inside the transaction, no result of the run is pending or running (`is_idle`), or at least one is.
struct RunGuard {
  Id run;
  bool is_idle = true;
};

/// Bulk operation: cancels every pending or running result of the run. Sets endReason to canceled unless the
/// result has one, updatedAt to max(now, newest change + 1 ms), and revision + 1, and updates the views (I45).
/// The outcome lists these results.
struct CancelLive {
  Id run;
  Time now;
};

struct ChangeSet {
  std::vector<Write> writes;
  std::vector<RevisionGuard> guards;
  std::vector<RunGuard> runs;
  std::vector<CancelLive> cancels;  ///< applied before the writes
  ViewChanges views;
  std::vector<Author> authors;  ///< clients that asked for the change; empty: the service itself (I68)

  /// Adds a new record with revision 1. Needs: an id that is not nil.
  template <Stamped T>
  void create(const T& record) {
    put_stamped(table_of<T>().id, record.stamp.id, 0, 1, write_stored(record));
    add_views(views, record, 1);
    if constexpr (is_noted<T>) note_change(nullptr, record, 1);
  }
  /// Replaces `before` with `after`. Returns the new revision: that of `before` + 1; the revision in `after` is
  /// ignored.
  /// Needs: the same id; `updated_at` is not earlier than before (I11).
  template <Stamped T>
  std::uint64_t replace(const T& before, const T& after) {
    CHECK(before.stamp.id == after.stamp.id && after.stamp.updated_at >= before.stamp.updated_at);
    const std::uint64_t revision = before.stamp.revision + 1;
    put_stamped(table_of<T>().id, before.stamp.id, before.stamp.revision, revision, write_stored(after));
    move_views(views, before, after);
    if constexpr (is_noted<T>) note_change(&before, after, revision);
    return revision;
  }
  /// Removes a record.
  template <Stamped T>
  void erase(const T& record) {
    put_stamped(table_of<T>().id, record.stamp.id, record.stamp.revision, 0, {});
    add_views(views, record, -1);
  }
  /// Guard: the record still has the revision that was read.
  template <Stamped T>
  void guard_revision(const T& record) {
    guards.push_back({table_of<T>().id, std::string(record.stamp.id.key()), record.stamp.revision});
  }
  /// Removes a result with all its parts and `entries` entries (D25).
  void erase_result(const ResultHead& head, std::uint32_t entries);
  /// As above, but only removes the head. The parts and entries, unreadable without it, are erased later
  /// (pending_erasures.hpp), so that one set can remove a large run.
  void erase_result_head(const ResultHead& head, std::uint32_t entries);
  /// Erases texts of a result whose head was removed: the entries from `kept` on, and also the parts if `kept` is 0.
  void erase_texts(const Id& result, std::int64_t rescored, std::uint32_t entries, std::uint32_t kept);
  /// Records what is left to erase of a result whose head was removed.
  void put_erasure(const Id& result, std::int64_t rescored, std::uint32_t entries);
  void forget_erasure(const Id& result);
  /// Removes a run and its list of cases.
  void erase_run(const Run& run);
  void guard_idle(const Id& run) { runs.push_back({run, true}); }
  void guard_live(const Id& run) { runs.push_back({run, false}); }
  void cancel_live(const CancelLive& operation) { cancels.push_back(operation); }

  /// Writes a part of a result. Needs: the same set creates, replaces or guards the head.
  template <Part T>
  void put_part(const Id& result, const T& part) {
    put_unguarded(table_of<T>().id, result, write_stored(part));
  }

  /// Writes verdict number `version` of the result, counted from 1. Older verdicts are kept. Needs: as put_part.
  void put_verdict(const Id& result, std::int64_t version, const ResultVerdict& verdict);
  void erase_verdict(const Id& result, std::int64_t version);

  /// Appends an entry; `ordinal` is its number in order of creation. Guards: the head still has the revision in
  /// `head`, and the number is free.
  void append_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry);
  /// Replaces an existing entry. Guard: the head still has the revision in `head`.
  void put_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry);
  /// Sets the order of a conversation with inserted entries: a permutation of 0..n-1. Entries appended later
  /// follow and are not listed. Needs: the set guards the head.
  void put_order(const Id& result, std::span<const std::uint32_t> ordinals);

  void put_run_cases(const Id& run, const std::vector<ExpectedCase>& cases);

  /// Assigns the name to the owner; it must be free. Needs: 1..300 bytes.
  void claim_unique(Namespace space, std::string_view name, const Id& owner);
  /// Frees the name. Needs: it was claimed.
  void release_unique(Namespace space, std::string_view name);

  /// `newest` is the current result of the retry chain; `expected` is the revision from Snapshot::lineage, or 0
  /// for the first retry.
  void put_lineage(const Id& root, const Id& newest, std::uint64_t expected);
  void erase_lineage(const Id& root, std::uint64_t expected);

  /// Stores the answer to a repeated request (D9); the key must be new. Needs: 1..300 bytes.
  void remember(std::string_view idempotency_key, std::string_view json);
  /// Removes the answer after its 24 hours. Needs: it exists.
  void forget(std::string_view idempotency_key);

  /// Bytes of keys and values, for the batch limit.
  [[nodiscard]] std::size_t bytes() const;

 private:
  /// Kinds of records that webhooks report (notices.hpp).
  template <class T>
  static constexpr bool is_noted = std::is_same_v<T, Run> || std::is_same_v<T, ResultHead>;
  void note_change(const Run* before, const Run& after, std::uint64_t revision);
  void note_change(const ResultHead* before, const ResultHead& after, std::uint64_t revision);
  void put_stamped(TableId table, const Id& id, std::uint64_t expected, std::uint64_t revision,
                   std::string_view json);
  void put_unguarded(TableId table, const Id& id, std::string_view payload);
  void guard_head(const Stamp& head);
};

}  // namespace parley::store
