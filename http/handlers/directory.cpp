// Personalities, folders and run groups: nothing special but that a folder cannot lie in itself.

#include "http/handlers/record_operations.hpp"
#include "http/percent.hpp"

namespace parley::http {
namespace {

/// Folders lie in each other; deeper than this nobody looks, and a walk up ends.
constexpr int folder_depth_max = 64;

/// Whether a folder that lies in `parent` would lie in itself, or too deep.
bool makes_circle(const store::Snapshot& snapshot, const Id& folder, Id parent) {
  for (int depth = 0; depth < folder_depth_max; ++depth) {
    if (parent == folder) return true;
    const auto above = snapshot.find<Folder>(parent);
    if (!above.ok() || !*above || !(*above)->parent) return false;
    parent = (*above)->parent->id;
  }
  return true;
}

}  // namespace

template <>
struct Specials<Folder> : NoSpecials<Folder> {
  static void check(const Folder& folder, const Folder* before, const Draft& draft, Findings& findings) {
    if (before == nullptr || !folder.parent || folder.parent == before->parent) return;
    if (makes_circle(draft.snapshot, before->stamp.id, folder.parent->id)) {
      findings.add("/parent", "must not lie in the folder itself, nor deeper than 64 folders");
    }
  }
};

template struct RecordOperations<Personality>;
template struct RecordOperations<Folder>;
template struct RecordOperations<RunGroup>;

}  // namespace parley::http
