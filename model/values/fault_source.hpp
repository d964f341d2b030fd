#pragma once
/// Whose fault it is that a result is no valid trial of the agent, or that the agent failed it (D24, D47a): the words of
/// metadata.error.source and of a review's faultSource. Plain values.

#include <array>
#include <cstdint>
#include <string_view>

#include "model/description/record.hpp"

namespace parley {

enum class FaultSource : std::uint8_t { agent, tester, judge, infrastructure, client, test };
template <>
struct Words<FaultSource> {
  static constexpr std::array<std::string_view, 6> all{"agent",          "tester", "judge",
                                                       "infrastructure", "client", "test"};
};

}  // namespace parley
