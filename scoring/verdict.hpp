#pragma once
/// Decides assertions and summarizes them (D31-D34). Pure: the same conversation and assertions give the same
/// results. Any thread except the actors' pool, because long conversations cost CPU.

#include <optional>
#include <string>
#include <unordered_map>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Configs, parsed and checked once for all conversations with the same assertions. Belongs to one thread.
class CheckedConfigs {
 public:
  struct Checked {
    const Kind* kind = nullptr;
    std::optional<json::Document> config;
    std::string fault;     ///< a sentence; empty if the assertion can be decided
    PatternWork work = 0;  ///< work of searching for the config's patterns
  };
  /// Valid until the next call.
  [[nodiscard]] const Checked& of(const Assertion& assertion);
  [[nodiscard]] CompiledPatterns& patterns() { return patterns_; }

 private:
  std::unordered_map<std::string, Checked> checked_;
  std::size_t bytes_ = 0;  ///< total size of the configs
  CompiledPatterns patterns_;
};

/// One result for each assertion, in their order. An assertion whose config has a fault (possible once
/// `{{key}}` has been replaced) ends in error; criteria ends skipped (D33).
[[nodiscard]] std::vector<AssertionResult> judge(const Subject& subject,
                                                 std::span<const Assertion> assertions);
/// As above, for one of many conversations; nullopt if the flag interrupted it.
[[nodiscard]] std::optional<std::vector<AssertionResult>> judge(const Subject& subject,
                                                                std::span<const Assertion> assertions,
                                                                CheckedConfigs& configs,
                                                                const StopFlag& stop);

/// The score of a result (D34).
struct Score {
  int score = 0;  ///< 0..100
  bool overall_passed = true;
  /// False for a result that counts neither as passed nor as failed: no assertion, or not every BLOCKER, was decided.
  bool decided = true;
  bool missed = false;  ///< an assertion of any severity failed
  bool operator==(const Score&) const = default;
};
[[nodiscard]] Score score_of(std::span<const AssertionResult> results);

}  // namespace parley::scoring
