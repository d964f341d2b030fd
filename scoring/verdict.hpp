#pragma once
/// Decides assertions and sums them up (D31-D34). Pure: the same conversation and assertions give the same
/// results. Any thread, though long conversations cost CPU: not for the actors' pool.

#include <optional>
#include <string>
#include <unordered_map>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Configs read and checked once for all conversations that are asked the same. Belongs to one thread.
class CheckedConfigs {
 public:
  struct Checked {
    const Kind* kind = nullptr;
    std::optional<json::Document> config;
    std::string fault;     ///< a sentence; empty where the assertion can be decided
    PatternWork work = 0;  ///< of looking at its patterns
  };
  /// Holds until the next call.
  [[nodiscard]] const Checked& of(const Assertion& assertion);
  [[nodiscard]] CompiledPatterns& patterns() { return patterns_; }

 private:
  std::unordered_map<std::string, Checked> checked_;
  std::size_t bytes_ = 0;  ///< of the configs
  CompiledPatterns patterns_;
};

/// One result an assertion, in their order. An assertion whose config is at fault (possible once `{{key}}`
/// has been replaced) ends in error; criteria ends skipped (D33).
[[nodiscard]] std::vector<AssertionResult> judge(const Subject& subject,
                                                 std::span<const Assertion> assertions);
/// The same, one of many; nullopt where it was broken off by the flag.
[[nodiscard]] std::optional<std::vector<AssertionResult>> judge(const Subject& subject,
                                                                std::span<const Assertion> assertions,
                                                                CheckedConfigs& configs,
                                                                const StopFlag& stop);

/// D34.
struct Score {
  int score = 0;  ///< 0..100
  bool overall_passed = true;
  /// False for a result that counts neither for nor against: nothing was decided, or a BLOCKER was not.
  bool decided = true;
  bool missed = false;  ///< an assertion failed, whatever its severity
  bool operator==(const Score&) const = default;
};
[[nodiscard]] Score score_of(std::span<const AssertionResult> results);

}  // namespace parley::scoring
