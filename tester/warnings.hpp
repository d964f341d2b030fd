#pragma once
/// Finds the warnings of a case and of the conversation that played it (D97). Only this file decides them: results,
/// tests and runs show its findings. Pure; any thread.

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "model/records/test_result.hpp"
#include "model/values/warning.hpp"

namespace parley::tester {

/// Who plays the tester.
enum class Player : std::uint8_t { script, model, person };

/// How many lines a script has to say or do, and how many were said or done.
struct PlayedLines {
  std::size_t played = 0;
  std::size_t all = 0;
  [[nodiscard]] bool is_finished() const { return played >= all; }
};
/// `used`: the line numbers of the tester's turns. Rules (`if /RE2/ ...`) are used when they match and do not count.
[[nodiscard]] PlayedLines played_lines(std::string_view instruction, std::span<const std::uint32_t> used);

/// Warnings of the case alone. Without `player`, only those that hold for any player.
[[nodiscard]] std::vector<Warning> warnings_of_case(const TestCase& test_case, std::optional<Player> player);

/// What the warnings of a conversation depend on.
struct Played {
  Player player = Player::script;
  EndReason end_reason = EndReason::tester_ended;
  std::span<const std::uint32_t> used_lines = {};
  std::span<const Entry> entries = {};
  bool is_decided = true;
};
/// Warnings of the conversation, in addition to those of the case.
[[nodiscard]] std::vector<Warning> warnings_of_play(const TestCase& test_case, const Played& played);

/// A result with its case and the known part of its conversation.
struct PlayedResult {
  const ResultHead& head;
  const TestCase& test_case;
  std::span<const Entry> entries = {};
  std::span<const std::uint32_t> used_lines = {};
  bool is_decided = true;
};
/// All warnings of a result whose conversation has ended.
[[nodiscard]] std::vector<Warning> warnings_of_result(const PlayedResult& result);

/// The sentence for a warning code, for list rows that do not read the conversation.
[[nodiscard]] std::string_view sentence_of(WarningCode code);

}  // namespace parley::tester
