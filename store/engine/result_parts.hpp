#pragma once
/// The parts that a result's head mentions. A mentioned part that is missing was lost and must never be
/// treated as one that was never written (I13). Pure functions of a head; any thread.

#include "store/tables.hpp"

namespace parley::store {

/// Whether a part of this type must exist beside the head. Heads of older versions do not mention all parts.
template <Part T>
[[nodiscard]] bool tells_of(const ResultHead& head) {
  if constexpr (std::same_as<T, ResultExtras>) return head.has_extras.value_or(false);
  if constexpr (std::same_as<T, ResultVerdict>) return head.has_verdict();
  if constexpr (std::same_as<T, StoredReview>) return head.has_review.value_or(false);
  if constexpr (std::same_as<T, StoredClaims>) return head.has_claims.value_or(false);
  return std::same_as<T, TestCase>;  // written with the head
}

}  // namespace parley::store
