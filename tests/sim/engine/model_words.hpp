#pragma once
/// What the simulated models read of a question, and the bytes that they answer. Pure.

#include <optional>

#include "tests/sim/engine/models.hpp"

namespace parley::sim {

/// Whom a question is about.
struct Asked {
  std::uint32_t root = 0;
  std::uint32_t criterion = 0;
  bool is_driven = false;
};
[[nodiscard]] Asked asked_of(const std::string& body);

/// The transcript that a judge is shown, without its fence.
[[nodiscard]] std::string transcript_of(const std::string& body);
/// An entry of it and words that stand there; nullopt where none has any.
struct Citation {
  std::string entry;
  std::string quote;
};
[[nodiscard]] std::optional<Citation> citation_of(const std::string& body);
/// Whether the judge is asked with a response_format.
[[nodiscard]] bool sends_schema(const std::string& body);
/// Whether the tester may invoke something just now.
[[nodiscard]] bool offers_action(const std::string& body);

[[nodiscard]] outbound::HttpOutcome words_of(TesterSays says, const std::string& body);
[[nodiscard]] outbound::HttpOutcome words_of(JudgeSays says, const std::string& body);

}  // namespace parley::sim
