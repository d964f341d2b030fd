#pragma once
/// Why a conversation ended (D49).

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

}  // namespace parley
