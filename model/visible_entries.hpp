#pragma once
/// The part of a conversation that the tester and the agent under test may see: everything but internal events, which
/// are for scoring alone (I36). Whoever writes a prompt or a call takes this type, so none can forget. Plain value.

#include <span>
#include <utility>
#include <vector>

#include "model/entry.hpp"

namespace parley {

/// Invariant: holds no internal event.
class VisibleEntries {
 public:
  VisibleEntries() = default;
  /// Takes the entries in the order of the conversation and drops what is not to be seen.
  explicit VisibleEntries(std::vector<Entry> entries) : entries_(std::move(entries)) {
    std::erase_if(entries_, [](const Entry& entry) { return entry.type == EntryType::internal_event; });
  }

  [[nodiscard]] std::span<const Entry> all() const { return entries_; }
  [[nodiscard]] bool empty() const { return entries_.empty(); }
  bool operator==(const VisibleEntries&) const = default;

 private:
  std::vector<Entry> entries_;
};

}  // namespace parley
