#pragma once
/// SnapshotLinker: writes linked records as objects (D8): `{id, name}`, plus `type` for an agent, and `status` and
/// the scenario's name for a run. Reads each record once; used for one answer on one thread.

#include <map>
#include <string>
#include <utility>

#include "model/description/record_write.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

class SnapshotLinker final : public Linker {
 public:
  /// Needs: the snapshot outlives the linker.
  explicit SnapshotLinker(const store::Snapshot& snapshot) : snapshot_(snapshot) {}

  void append(json::Writer& out, RecordKind kind, const Id& id) const override;

 private:
  [[nodiscard]] std::string shown(RecordKind kind, const Id& id) const;

  const store::Snapshot& snapshot_;
  mutable std::map<std::pair<RecordKind, Id>, std::string> shown_;
};

}  // namespace parley::http
