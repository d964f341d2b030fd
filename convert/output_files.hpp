#pragma once
/// Writes files so that each appears completely or not at all. One thread.

#include <string>
#include <vector>

#include "convert/convert.hpp"

namespace parley::convert {

/// The fault if the path is a regular file with other content; empty if it may be written without `--force`.
[[nodiscard]] std::string fault_of_replacing(const std::string& path, const std::string& content);

/// Writes all files. Writes none if one cannot be written, or if one exists with other content and `is_forced` is
/// false. Returns the fault; empty: success.
[[nodiscard]] std::string write_all(const std::vector<MadeFile>& files, bool is_forced);

}  // namespace parley::convert
