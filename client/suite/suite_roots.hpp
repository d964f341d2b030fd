#pragma once
/// The suite files that a command names, and the file of --env-file. One thread.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// A root file, and the lines that PATH selected; no lines: all tests.
struct RootFile {
  std::filesystem::path path;
  std::vector<std::uint32_t> lines;
};

/// Returns the root files that the options name. Faults: a path that does not exist or cannot be a suite.
[[nodiscard]] std::vector<RootFile> roots_of(const LoadOptions& options, LoadedSuites& loaded);

/// Reads lines of `NAME=value`. A comment line begins with `#`. Values may be quoted.
void read_env_file(const std::filesystem::path& path, std::map<std::string, std::string>& environment,
                   LoadedSuites& loaded);

}  // namespace parley::client
