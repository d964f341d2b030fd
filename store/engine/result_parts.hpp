#pragma once
/// Which parts a result's head tells of: one of them that is not there was lost, and must never be taken for one that was
/// never made (I13). Owned by nobody: pure functions of a head; any thread.

#include "store/tables.hpp"

namespace parley::store {

/// Whether there must be a part of this type beside the head. Heads of older versions do not tell of all.
template <Part T>
[[nodiscard]] bool tells_of(const ResultHead& head) {
  if constexpr (std::same_as<T, ResultExtras>) return head.has_extras.value_or(false);
  if constexpr (std::same_as<T, ResultVerdict>) return head.has_verdict();
  if constexpr (std::same_as<T, StoredReview>) return head.has_review.value_or(false);
  if constexpr (std::same_as<T, StoredClaims>) return head.has_claims.value_or(false);
  return std::same_as<T, TestCase>;  // written with the head
}

}  // namespace parley::store
