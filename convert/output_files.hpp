#pragma once
/// Writes files so that they appear whole or not at all. One thread.

#include <string>
#include <vector>

#include "convert/convert.hpp"

namespace parley::convert {

/// Writes all files, or none if one cannot be written or has other content and `is_forced` is false. Returns the fault; empty:
/// done.
[[nodiscard]] std::string write_all(const std::vector<MadeFile>& files, bool is_forced);

}  // namespace parley::convert
