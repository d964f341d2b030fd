#pragma once
/// Reads the command line (D90). Knows CLI11, which parses and prints help only; the merging of sources is ours.

#include <optional>
#include <string>

#include "app/config.hpp"

namespace parley::app {

/// What to do: serve with a configuration, or end at once with a code because the text was all that was wanted.
struct Command {
  std::optional<Config> serve;
  int exit_code = 0;
  std::string text;  ///< for stdout when exit_code is 0, else for stderr
};

[[nodiscard]] Command read_command_line(int argc, const char* const* argv, const char* const* environment);

}  // namespace parley::app
