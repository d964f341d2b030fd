#pragma once
/// The options of a node that shares its log with other nodes (--log). Pure; main thread, before anything starts.

#include <string>
#include <vector>

#include "app/options/config.hpp"

namespace parley::app {

/// The rows of these options in the table of options.
[[nodiscard]] std::vector<OptionRow> log_rows();

/// Checks several options together: options that need --log, and a password that other users could read on the
/// command line. Returns an empty text if there is no fault.
[[nodiscard]] std::string fault_of_log_options(const std::vector<Given>& given, const Config& config);

/// The fault of a log URL, for a line that names the option. A password is a fault if other users can see the URL.
[[nodiscard]] std::string fault_of_shown_log(const std::string& url, bool is_on_command_line);

}  // namespace parley::app
