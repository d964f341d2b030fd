#pragma once
/// GivenUpGroups: which groups of calls nobody wants any more, for calls that come in behind the word that said so. Owned
/// by the client's loop, on its thread only. Pure.
///
/// Invariant: a call of a group that was given up in a later epoch than its own is held. Only so many groups are
/// remembered, and a call from before one that was forgotten is held too, whatever its group: whoever made it looks at its records again and
/// asks anew, so no caller may take `canceled` for an end.

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

  /// Needs: epochs that grow.
  void add(const Id& group, std::uint64_t epoch);
  [[nodiscard]] bool holds(const HttpRequest& request) const;

 private:
  std::size_t groups_max_;
  std::unordered_map<Id, std::uint64_t> epochs_;       ///< the newest of each group
  std::deque<std::pair<std::uint64_t, Id>> in_order_;  ///< as they were given up
  std::uint64_t forgotten_ = 0;                        ///< the newest epoch that is no longer remembered
};

}  // namespace parley::outbound
