#pragma once
/// `parley export` in the formats of other tools. Main thread.

#include "client/verbs/verb.hpp"
#include "convert/exporting/exporting.hpp"

namespace parley::client {

/// Whether the form is one of those formats for these records. `what`: logs, tests or a run.
[[nodiscard]] const convert::ExportFormat* other_format(std::string_view what, std::string_view form);
/// Writes the records. The exit code.
[[nodiscard]] int export_as(const Invocation& call, const std::string& what,
                            const convert::ExportFormat& format);

}  // namespace parley::client
