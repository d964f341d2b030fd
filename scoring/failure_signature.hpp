#pragma once
/// Which failures are the same failure: texts with their quotes, numbers, ids and times masked, and a signature over the
/// rest. Results with one signature form a group. Pure; any thread.
///
///   signature = 16 HEXDIG, FNV-1a of: kind, assertion (its given id, else its name, else its type and config), type, masked
///               reason; or of: kind, source, code, masked detail. A model's reason is prose and differs each time, so the
///               reason of a `criteria` assertion is left out.

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/stored_reader.hpp"
#include "model/records/assertion.hpp"
#include "model/values/end_reason.hpp"
#include "scoring/verdict.hpp"

namespace parley::scoring {

enum class FailureKind : std::uint8_t { verdict, undecided, fault };

/// Why a result did not pass in full.
struct Failure {
  FailureKind kind = FailureKind::verdict;
  std::optional<Assertion>
      assertion;       ///< of a verdict, and of an undecided one where an assertion is the cause
  std::string source;  ///< of a fault: the keyword of its FaultSource; else empty
  std::string code;
  std::string says;    ///< the masked text
  std::string reason;  ///< the original text
  std::vector<std::string> evidence;
  std::string signature;
};

/// `"text"` becomes <text>, a number <n>, an id <id>, a time <time>.
[[nodiscard]] std::string masked(std::string_view text);

/// The assertion that decides the group: the first BLOCKER with the wanted status, else the first of the others. nullopt if
/// no assertion has it.
[[nodiscard]] std::optional<Failure> failure_of_verdict(std::span<const AssertionResult> results,
                                                        FailureKind kind);
/// The signature of a verdict's group; nullopt for a result that is passed in full.
[[nodiscard]] std::optional<std::string> group_of(std::span<const AssertionResult> results,
                                                  const Score& score);
/// `error`: metadata.error of the result, an object {source, code, detail}; anything else is an unknown fault of `source`.
[[nodiscard]] Failure failure_of_fault(std::string_view error, std::string_view source);

}  // namespace parley::scoring
