#pragma once
/// CanceledGroups: remembers the canceled groups of calls, for calls that arrive after the cancellation. Owned
/// by the client's loop, on its thread only. Pure.
///
/// Invariant: holds() is true for a call whose group was canceled in a later epoch than the call's own. Only a
/// limited number of groups is remembered, so holds() is also true for a call of any group that is older than a
/// forgotten group. Its caller reads its records again and repeats the call, so no caller may treat `canceled`
/// as final.

#include <cstddef>
#include <cstdint>
#include <deque>
#include <unordered_map>
#include <utility>

#include "model/id.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

class CanceledGroups {
 public:
  explicit CanceledGroups(std::size_t groups_max = 1'024) : groups_max_(groups_max) {}

  /// Needs: increasing epochs.
  void add(const Id& group, std::uint64_t epoch);
  [[nodiscard]] bool holds(const HttpRequest& request) const;

 private:
  std::size_t groups_max_;
  std::unordered_map<Id, std::uint64_t> epochs_;       ///< newest epoch of each group
  std::deque<std::pair<std::uint64_t, Id>> in_order_;  ///< in order of cancellation
  std::uint64_t forgotten_ = 0;                        ///< newest epoch that is no longer remembered
};

}  // namespace parley::outbound
