// Personalities, folders and run groups: simple records. A folder must not contain itself.

#include <algorithm>

#include "http/handlers/record_operations.hpp"
#include "http/protocol/percent.hpp"

namespace parley::http {
namespace {

/// Folders are nested; the walk to the root stops at this depth.
constexpr std::size_t folder_depth_max = 64;

/// The ancestors from `parent` upwards; one more than the maximum if the walk does not reach a root.
std::vector<Folder> folders_above(const store::Snapshot& snapshot, const Ref<RecordKind::folder>& parent) {
  std::vector<Folder> above;
  auto next = snapshot.find<Folder>(parent.id);
  while (next.ok() && *next && above.size() <= folder_depth_max) {
    above.push_back(std::move(**next));
    if (!above.back().parent) break;
    next = snapshot.find<Folder>(above.back().parent->id);
  }
  return above;
}

/// Whether a folder below these ancestors would contain itself or be nested too deeply. A new folder has no id yet.
bool is_misplaced(const Id& folder, const std::vector<Folder>& above) {
  return above.size() >= folder_depth_max ||
         std::any_of(above.begin(), above.end(), [&](const Folder& each) { return each.stamp.id == folder; });
}

bool is_moved(const Folder& folder, const Folder* before) {
  return folder.parent && (before == nullptr || folder.parent != before->parent);
}

}  // namespace

template <>
struct Specials<Folder> : NoSpecials<Folder> {
  static void check(const Folder& folder, const Folder* before, const Draft& draft, Findings& findings) {
    if (!is_moved(folder, before)) return;
    const Id id = before == nullptr ? Id{} : before->stamp.id;
    if (is_misplaced(id, folders_above(draft.snapshot, *folder.parent))) {
      findings.add("/parent", "must not be inside the folder itself, nor deeper than 64 folders");
    }
  }
  /// The ancestors must not change before the commit: two folders that are moved into each other concurrently would
  /// form a cycle.
  static Expected<Done> join(const Folder& folder, const Folder* before, const store::Snapshot& snapshot,
                             Time /*now*/, store::ChangeSet& changes) {
    if (!is_moved(folder, before)) return Done{};
    for (const Folder& above : folders_above(snapshot, *folder.parent)) changes.guard_revision(above);
    return Done{};
  }
};

template <>
struct Specials<Personality> : NoSpecials<Personality> {
  static void filter(QueryReader& reader, const RequestContext& /*call*/, store::ListQuery& query) {
    filter_by_project(reader, query);
  }
};

template struct RecordOperations<Personality>;
template struct RecordOperations<Folder>;
template struct RecordOperations<RunGroup>;

}  // namespace parley::http
