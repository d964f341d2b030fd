#pragma once
/// A pager for long texts, as the user chose it. Main thread.

#include <string>
#include <string_view>

#include "client/screen/terminal.hpp"

namespace parley::client {

/// Writes the text to standard output: through `pager`, a command line for the shell, if a person reads the terminal and
/// the command is not empty, otherwise directly. A pager that cannot be started is left out. `less` shows colors and
/// leaves a text that fits on the screen in place, unless LESS says otherwise.
void write_paged(const Terminal& terminal, const std::string& pager, std::string_view text);

}  // namespace parley::client
