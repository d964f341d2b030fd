#pragma once
/// Combines a variant with its parent (D41). Pure functions; any thread.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/records/assertion.hpp"

namespace parley::tester {

struct Composed {
  std::string instruction;
  std::vector<Assertion> assertions;
  bool operator==(const Composed&) const = default;
};

/// An instruction with its assertions, as a test stores them.
struct CasePart {
  std::string_view instruction;
  std::span<const Assertion> assertions;
};

/// Parent instruction, blank line, overlay instruction (no blank line if either is empty). An overlay
/// assertion replaces the parent's assertion with the same id or, failing that, with the same name, at its
/// position; the rest are appended (D41).
[[nodiscard]] Composed compose(const CasePart& parent, const CasePart& overlay);

}  // namespace parley::tester
