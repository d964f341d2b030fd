#include "actors/models/prompt_fence.hpp"

#include <fmt/format.h>

#include <random>

namespace parley::actors {

std::string new_fence() {
  std::random_device dice;
  std::string fence;
  for (int i = 0; i < 4; ++i) fence += fmt::format("{:08x}", dice());
  return fence;
}

}  // namespace parley::actors
