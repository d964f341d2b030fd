#pragma once
/// SnapshotLinker shows linked records as objects (D8): `{id, name}`, of an agent also `type`, of a run
/// `status` and the name of its scenario. Each record is read once; a linker lives for one answer on one
/// thread.

#include <map>
#include <string>
#include <utility>

#include "model/description/record_write.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

class SnapshotLinker final : public Linker {
 public:
  /// Needs: a snapshot that outlives the linker.
  explicit SnapshotLinker(const store::Snapshot& snapshot) : snapshot_(snapshot) {}

  void append(json::Writer& out, RecordKind kind, const Id& id) const override;

 private:
  [[nodiscard]] std::string shown(RecordKind kind, const Id& id) const;

  const store::Snapshot& snapshot_;
  mutable std::map<std::pair<RecordKind, Id>, std::string> shown_;
};

}  // namespace parley::http
