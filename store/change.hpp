#pragma once
/// A change set: what one decision writes, each record with the revision it was decided on, and what else
/// must still hold (design: "Who commits what"). Whole or not at all. A plain value.
/// Thread: built by one owner on any thread, then handed to the committer.
/// Order: all guards are checked before the first put, so a guard speaks of the state before the set.

#include <span>
#include <string>
#include <vector>

#include "model/description/record_write.hpp"
#include "store/audit/author.hpp"
#include "store/engine/entry_codec.hpp"
#include "store/engine/value.hpp"
#include "store/views/views.hpp"

namespace parley::store {

/// Revision of a Write that may meet any state, since another guard of the set vouches for it.
inline constexpr std::uint64_t any_revision = UINT64_MAX;

/// One record to put, or to take away.
struct Write {
  TableId table;
  std::string key;
  std::uint64_t expected = 0;  ///< revision it was decided on; 0: must not exist
  std::string value;           ///< framed; empty: take away
};

/// A record that is not written and must still have this revision.
struct RevisionGuard {
  TableId table;
  std::string key;
  std::uint64_t revision = 0;
};

/// Inside the transaction, no result of the run is pending or running, or one is.
struct RunGuard {
  Id run;
  bool is_idle = true;
};

/// Bulk operation: every pending or running result of the run becomes canceled, with endReason canceled
/// unless it has one, updatedAt max(now, newest change + 1 ms), revision + 1 and its views (I45). The committer tells
/// which ones.
struct CancelLive {
  Id run;
  Time now;
};

struct ChangeSet {
  std::vector<Write> writes;
  std::vector<RevisionGuard> guards;
  std::vector<RunGuard> runs;
  std::vector<CancelLive> cancels;  ///< carried out before the writes
  ViewChanges views;
  std::vector<Author> authors;  ///< who asked for it; none: the service itself (I68)

  /// A new record, revision 1. Needs: an id that is not nil.
  template <Stamped T>
  void create(const T& record) {
    put_stamped(table_of<T>().id, record.stamp.id, 0, 1, write_stored(record));
    add_views(views, record, 1);
  }
  /// `after` in place of `before`; gives the new revision, which is before's + 1 whatever `after` says.
  /// Needs: the same id; an updatedAt that does not go back (I11).
  template <Stamped T>
  std::uint64_t replace(const T& before, const T& after) {
    CHECK(before.stamp.id == after.stamp.id && after.stamp.updated_at >= before.stamp.updated_at);
    const std::uint64_t revision = before.stamp.revision + 1;
    put_stamped(table_of<T>().id, before.stamp.id, before.stamp.revision, revision, write_stored(after));
    move_views(views, before, after);
    return revision;
  }
  /// Takes a record away.
  template <Stamped T>
  void erase(const T& record) {
    put_stamped(table_of<T>().id, record.stamp.id, record.stamp.revision, 0, {});
    add_views(views, record, -1);
  }
  /// The record must still have the revision it was read with.
  template <Stamped T>
  void guard_revision(const T& record) {
    guards.push_back({table_of<T>().id, std::string(record.stamp.id.key()), record.stamp.revision});
  }
  /// Takes a result away with all of its parts and its entries, of which there are `entries` (D25).
  void erase_result(const ResultHead& head, std::uint32_t entries);
  /// The same, but what nobody can read without its head is erased later (erasures.hpp): a large run goes in one set.
  void erase_result_head(const ResultHead& head, std::uint32_t entries);
  /// Parts and entries of a result whose head is gone: the entries from `kept` on, and the parts where none is kept.
  void erase_texts(const Id& result, std::int64_t rescored, std::uint32_t entries, std::uint32_t kept);
  /// What still has to be erased of a result whose head is gone.
  void put_erasure(const Id& result, std::int64_t rescored, std::uint32_t entries);
  void forget_erasure(const Id& result);
  /// Takes a run away with the list of its cases.
  void erase_run(const Run& run);
  void guard_idle(const Id& run) { runs.push_back({run, true}); }
  void guard_live(const Id& run) { runs.push_back({run, false}); }
  void cancel_live(const CancelLive& operation) { cancels.push_back(operation); }

  /// A piece of a result. Needs: the same set creates, replaces or guards the head.
  template <Part T>
  void put_part(const Id& result, const T& part) {
    put_unguarded(table_of<T>().id, result, write_stored(part));
  }

  /// Verdict number `version` of the result, from 1; older ones stay. Needs: as put_part.
  void put_verdict(const Id& result, std::int64_t version, const ResultVerdict& verdict);
  void erase_verdict(const Id& result, std::int64_t version);

  /// Entry number `ordinal` in order of creation. Guards: the head has still the revision in `head`, the
  /// number is free.
  void append_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry);
  /// Another text for an entry that is there. Guard: the head has still the revision in `head`.
  void put_entry(const Stamp& head, std::uint32_t ordinal, const StoredEntry& entry);
  /// The order of a conversation with inserts: a permutation of 0..n-1. Entries appended later follow by
  /// themselves. Needs: the set guards the head.
  void put_order(const Id& result, std::span<const std::uint32_t> ordinals);

  void put_run_cases(const Id& run, const std::vector<ExpectedCase>& cases);

  /// The name must be free and is the owner's from now on. Needs: 1..300 bytes.
  void claim_unique(Namespace space, std::string_view name, const Id& owner);
  /// Gives the name back. Needs: it was claimed.
  void release_unique(Namespace space, std::string_view name);

  /// `newest` is the result of the lineage that counts; `expected` as Snapshot::lineage told it, 0 for the
  /// first retry.
  void put_lineage(const Id& root, const Id& newest, std::uint64_t expected);
  void erase_lineage(const Id& root, std::uint64_t expected);

  /// Keeps what a repeated request is answered with (D9); the key must be new. Needs: 1..300 bytes.
  void remember(std::string_view idempotency_key, std::string_view json);
  /// Drops it after its 24 hours. Needs: it is there.
  void forget(std::string_view idempotency_key);

  /// Bytes of keys and values, for the bound of a batch.
  [[nodiscard]] std::size_t bytes() const;

 private:
  void put_stamped(TableId table, const Id& id, std::uint64_t expected, std::uint64_t revision,
                   std::string_view json);
  void put_unguarded(TableId table, const Id& id, std::string_view payload);
  void guard_head(const Stamp& head);
};

}  // namespace parley::store
