#pragma once
/// `parley export` in the formats of other tools. Main thread.

#include "client/verbs/verb.hpp"
#include "convert/exporting/exporting.hpp"

namespace parley::client {

/// Returns the exporter for `form`, or null if no exporter writes these records in that form. `what` is logs,
/// tests or a run.
[[nodiscard]] const convert::ExportFormat* other_format(std::string_view what, std::string_view form);
/// Writes the records and returns the exit code.
[[nodiscard]] int export_as(const Invocation& call, const std::string& what,
                            const convert::ExportFormat& format);

}  // namespace parley::client
