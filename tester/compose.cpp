#include "tester/compose.hpp"

#include <algorithm>

namespace parley::tester {
namespace {

constexpr std::size_t nowhere = SIZE_MAX;

/// The first parent assertion for which `is_meant` is true and that no overlay assertion has replaced yet.
template <class F>
std::size_t find_free(std::span<const Assertion> parents, const std::vector<bool>& taken, F is_meant) {
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (!taken[i] && is_meant(parents[i])) return i;
  }
  return nowhere;
}

/// For each overlay assertion, the index of the parent assertion that it replaces. Ids take precedence over
/// names.
std::vector<std::size_t> places_of(std::span<const Assertion> overlay, std::span<const Assertion> parents) {
  std::vector<bool> taken(parents.size());
  std::vector<std::size_t> places(overlay.size(), nowhere);
  const auto take = [&](std::size_t i, auto is_meant) {
    places[i] = find_free(parents, taken, is_meant);
    if (places[i] != nowhere) taken[places[i]] = true;
  };
  for (std::size_t i = 0; i < overlay.size(); ++i) {
    if (overlay[i].id.empty()) continue;
    take(i, [&](const Assertion& parent) { return parent.id == overlay[i].id; });
  }
  for (std::size_t i = 0; i < overlay.size(); ++i) {
    if (places[i] != nowhere || overlay[i].name.value_or("").empty()) continue;
    take(i, [&](const Assertion& parent) { return parent.name == overlay[i].name; });
  }
  return places;
}

}  // namespace

Composed compose(const CasePart& parent, const CasePart& overlay) {
  Composed composed;
  composed.instruction = parent.instruction;
  if (!parent.instruction.empty() && !overlay.instruction.empty()) composed.instruction += "\n\n";
  composed.instruction += overlay.instruction;

  composed.assertions.assign(parent.assertions.begin(), parent.assertions.end());
  const auto places = places_of(overlay.assertions, parent.assertions);
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (places[i] == nowhere) {
      composed.assertions.push_back(overlay.assertions[i]);
    } else {
      composed.assertions[places[i]] = overlay.assertions[i];
    }
  }
  return composed;
}

}  // namespace parley::tester
