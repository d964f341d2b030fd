#pragma once
/// People's labels of results and assertions, in addition to the verdicts of rules and judges, which they never change. Older
/// labels of the same person stay. Pure except for reads; thread: as the snapshot.
///
///   key = result id, label id           value = JSON of Label; of one result, newest last

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "store/change.hpp"
#include "store/snapshot.hpp"

namespace parley::store {

struct Label {
  Id id;
  Id result;
  std::string assertion;  ///< its id; empty: the whole result
  Id user;
  std::string verdict;  ///< passed, failed, unsure or invalid
  std::string note;
  std::vector<Id> entries;
};

/// Labels that one walk reads; further ones are left out.
inline constexpr std::size_t labels_max = 100'000;

void put_label(ChangeSet& changes, const Label& label);
void erase_label(ChangeSet& changes, const Label& label);
[[nodiscard]] Expected<std::optional<Label>> find_label(const Snapshot& snapshot, const Id& result,
                                                        const Id& label);
/// Of one result, or of all; by result and age. An unreadable label is left out.
[[nodiscard]] std::vector<Label> labels_of(const Snapshot& snapshot, const std::optional<Id>& result);

}  // namespace parley::store
