#pragma once
/// How the simulated models read a question, and the bytes of their answers. Pure.

#include <optional>

#include "tests/sim/engine/models.hpp"

namespace parley::sim {

/// What a question is about.
struct Asked {
  std::uint32_t root = 0;
  std::uint32_t criterion = 0;
  bool is_driven = false;
};
[[nodiscard]] Asked asked_of(const std::string& body);

/// The transcript shown to a judge, without its fence.
[[nodiscard]] std::string transcript_of(const std::string& body);
/// An entry of the transcript and words in it; nullopt if no entry has any words.
struct Citation {
  std::string entry;
  std::string quote;
};
[[nodiscard]] std::optional<Citation> citation_of(const std::string& body);
/// Whether the question to the judge has a response_format.
[[nodiscard]] bool sends_schema(const std::string& body);
/// Whether the tester may invoke an action now.
[[nodiscard]] bool offers_action(const std::string& body);

[[nodiscard]] outbound::HttpOutcome words_of(TesterSays says, const std::string& body);
[[nodiscard]] outbound::HttpOutcome words_of(JudgeSays says, const std::string& body);

}  // namespace parley::sim
