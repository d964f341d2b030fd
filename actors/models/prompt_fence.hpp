#pragma once
/// The marker that stands round a transcript in a judge's question (reliability 5.4). Any thread.

#include <string>

namespace parley::actors {

/// 128 random bits: nobody who wrote a transcript can know it.
[[nodiscard]] std::string new_fence();

}  // namespace parley::actors
