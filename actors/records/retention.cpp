#include "actors/records/retention.hpp"

#include <array>

namespace parley::actors {
namespace {

/// Records per step; a step takes about a millisecond.
constexpr std::size_t records_per_step = 500;

struct Leg {
  RecordKind kind;
  store::Shelf shelf;
};
constexpr std::array legs{Leg{RecordKind::run, store::Shelf::current},
                          Leg{RecordKind::run, store::Shelf::archived},
                          Leg{RecordKind::test_result, store::Shelf::current},
                          Leg{RecordKind::test_result, store::Shelf::archived},
                          Leg{RecordKind::test_result, store::Shelf::retired},
                          Leg{RecordKind::external_log, store::Shelf::current},
                          Leg{RecordKind::external_log, store::Shelf::archived}};

bool has_expired(const Run& run, Time cutoff) {
  return is_terminal(run.status) && run.stamp.updated_at < cutoff;
}
/// The results of a run are deleted with the run.
bool has_expired(const ResultHead& head, Time cutoff) {
  return !head.run && is_terminal(head.status) && head.stamp.updated_at < cutoff;
}
bool has_expired(const ExternalLog& log, Time cutoff) {
  return log.stamp.updated_at < cutoff;
}

/// The record if it still exists and is old enough.
template <class T>
Expected<std::optional<T>> expired_record(const store::Snapshot& snapshot, const Id& id, Time cutoff) {
  TRY(found, snapshot.find<T>(id));
  if (found && !has_expired(*found, cutoff)) found.reset();
  return found;
}

template <class T>
Expected<bool> is_expired(const store::Snapshot& snapshot, const Id& id, Time cutoff) {
  TRY(found, expired_record<T>(snapshot, id, cutoff));
  return found.has_value();
}

Expected<bool> is_expired(const store::Snapshot& snapshot, const Expired& one, Time cutoff) {
  if (one.kind == RecordKind::run) return is_expired<Run>(snapshot, one.id, cutoff);
  if (one.kind == RecordKind::test_result) return is_expired<ResultHead>(snapshot, one.id, cutoff);
  return is_expired<ExternalLog>(snapshot, one.id, cutoff);
}

}  // namespace

Expected<std::optional<Expired>> RetentionWalk::check(const store::Snapshot& snapshot, Time cutoff) {
  const Leg& leg = legs.at(leg_);
  const auto ids =
      snapshot.ids_in({leg.kind, store::Facet::all, store::nil_value, leg.shelf}, after_, records_per_step);
  for (const Id& id : ids) {
    // The others were created later, so they were changed later too.
    if (time_of(id) >= cutoff) break;
    after_ = id;
    const Expired one{leg.kind, id};
    TRY(expired, is_expired(snapshot, one, cutoff));
    if (expired) return std::optional(one);
  }
  const bool is_walked = ids.size() < records_per_step || time_of(ids.back()) >= cutoff;
  if (is_walked) {
    leg_ = (leg_ + 1) % legs.size();
    after_ = {};
  }
  return std::optional<Expired>{};
}

Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const Expired& expired, Time cutoff,
                                       Time now) {
  if (expired.kind == RecordKind::run) {
    TRY(run, expired_record<Run>(snapshot, expired.id, cutoff));
    return run ? deletion_of(snapshot, *run) : store::ChangeSet{};
  }
  if (expired.kind == RecordKind::test_result) {
    TRY(head, expired_record<ResultHead>(snapshot, expired.id, cutoff));
    return head ? deletion_of(snapshot, *head, now) : store::ChangeSet{};
  }
  TRY(log, expired_record<ExternalLog>(snapshot, expired.id, cutoff));
  return log ? deletion_of(*log) : store::ChangeSet{};
}

}  // namespace parley::actors
