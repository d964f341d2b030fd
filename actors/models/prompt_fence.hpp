#pragma once
/// The delimiter around a transcript in a judge's question. Any thread.

#include <string>

namespace parley::actors {

/// 128 random bits, which the author of a transcript cannot know.
[[nodiscard]] std::string new_fence();

}  // namespace parley::actors
