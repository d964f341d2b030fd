#pragma once
/// Why a conversation ended (D49), and who caused a fault. Plain values.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/description/record.hpp"

namespace parley {

enum class EndReason : std::uint8_t {
  tester_ended,
  goal_reached,
  max_turns,
  agent_ended,
  action_error,
  agent_error,
  tester_error,
  infrastructure_error,
  client_error,
  conversation_full,
  canceled,
  timeout,
};
template <>
struct Words<EndReason> {
  static constexpr std::array<std::string_view, 12> all{
      "tester_ended", "goal_reached",      "max_turns",    "agent_ended",
      "action_error", "agent_error",       "tester_error", "infrastructure_error",
      "client_error", "conversation_full", "canceled",     "timeout"};
};

/// Who caused a failure, or made a result an invalid trial of the agent (D24, D47a): the keywords of
/// metadata.error.source and of a review's faultSource.
enum class FaultSource : std::uint8_t { agent, tester, judge, infrastructure, client, test };
template <>
struct Words<FaultSource> {
  static constexpr std::array<std::string_view, 6> all{"agent",          "tester", "judge",
                                                       "infrastructure", "client", "test"};
};

}  // namespace parley
