#pragma once
/// Who caused a result not to be a valid trial of the agent, or a failure (D24, D47a): the keywords of
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
