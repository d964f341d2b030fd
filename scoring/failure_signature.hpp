#pragma once
/// Determines which failures are the same: masks quotes, numbers, ids and times in their texts, and computes a
/// signature of the rest. Results with the same signature form a group. Pure; any thread.
///
///   signature = 16 HEXDIG, FNV-1a of: kind, assertion (its given id, else its name, else its type and config),
///               type, masked reason; or of: kind, source, code, masked detail. The reason of a `criteria`
///               assertion is omitted, because a model's prose differs each time.

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

/// The reason why a result did not fully pass.
struct Failure {
  FailureKind kind = FailureKind::verdict;
  /// For a verdict; also for an undecided result if an assertion is the cause.
  std::optional<Assertion> assertion;
  std::string source;  ///< for a fault: the keyword of its FaultSource; else empty
  std::string code;
  std::string says;    ///< the masked text
  std::string reason;  ///< the original text
  std::vector<std::string> evidence;
  std::string signature;
};

/// Replaces `"text"` with <text>, a number with <n>, an id with <id>, and a time with <time>.
[[nodiscard]] std::string masked(std::string_view text);

/// The failure of the assertion that decides the group: the first BLOCKER with the wanted status, else the
/// first other assertion with it. nullopt if no assertion has that status.
[[nodiscard]] std::optional<Failure> failure_of_verdict(std::span<const AssertionResult> results,
                                                        FailureKind kind);
/// The signature of a verdict's group; nullopt for a result that fully passed.
[[nodiscard]] std::optional<std::string> group_of(std::span<const AssertionResult> results,
                                                  const Score& score);
/// `error`: metadata.error of the result, an object {source, code, detail}. Anything else is an unknown fault
/// of `source`.
[[nodiscard]] Failure failure_of_fault(std::string_view error, std::string_view source);

}  // namespace parley::scoring
