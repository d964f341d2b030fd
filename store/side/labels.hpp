#pragma once
/// Labels that people give to results and assertions. They supplement the verdicts of rules and judges and
/// never change them. Older labels of the same person are kept. Pure except for reads; thread: as the snapshot.
///
///   key = result id, label id           value = JSON of Label; within one result, newest last

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
  std::string assertion;  ///< id of the assertion; empty: the whole result
  Id user;
  std::string verdict;  ///< passed, failed, unsure or invalid
  std::string note;
  std::vector<Id> entries;
};

/// The maximum number of labels that one walk reads; further ones are omitted.
inline constexpr std::size_t labels_max = 100'000;

void put_label(ChangeSet& changes, const Label& label);
void erase_label(ChangeSet& changes, const Label& label);
[[nodiscard]] Expected<std::optional<Label>> find_label(const Snapshot& snapshot, const Id& result,
                                                        const Id& label);
/// Labels of one result or of all, ordered by result and age. Skips unreadable labels.
[[nodiscard]] std::vector<Label> labels_of(const Snapshot& snapshot, const std::optional<Id>& result);

}  // namespace parley::store
