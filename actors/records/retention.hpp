#pragma once
/// Finds records that are old enough to be deleted permanently (`--retention`, D25): runs that ended,
/// finished results without a run, and external logs, none of them changed since the cutoff. A sweep walks
/// them in order of creation in small steps, so that no snapshot is held long and memory holds only the
/// position. Pure except for reading; any thread.

#include <optional>

#include "actors/records/deletion.hpp"

namespace parley::actors {

struct Expired {
  RecordKind kind = RecordKind::run;
  Id id;
  bool operator==(const Expired&) const = default;
};

/// The position of a sweep: a kind of record, archived or not, and the last id that was checked.
class RetentionWalk {
 public:
  /// Checks a bounded number of records and returns the first one to delete; nullopt: none of them.
  [[nodiscard]] Expected<std::optional<Expired>> check(const store::Snapshot& snapshot, Time cutoff);
  /// All kinds have been walked; the next step starts over.
  [[nodiscard]] bool is_over() const { return leg_ == 0 && after_.is_nil(); }

 private:
  std::size_t leg_ = 0;
  Id after_;
};

/// The changes that delete the record; empty if it is gone or was changed since the cutoff.
[[nodiscard]] Expected<store::ChangeSet> deletion_of(const store::Snapshot& snapshot, const Expired& expired,
                                                     Time cutoff, Time now);

}  // namespace parley::actors
