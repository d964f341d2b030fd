#pragma once
/// The JSON document of a report, and its form as lines (JSON Lines). Within `"v": 1`, keys are only added.
///
///   document: {"v": 1, "type": "report", ..., "runs": [RUN...], "results": [RESULT...]}
///   lines:    {"v": 1, "type": "result", ...}  as results end
///             {"v": 1, "type": "run", ...}     at the end, one for each run
///             {"v": 1, "type": "report", ...}  the last line: the document without runs and results

#include <string>
#include <string_view>

#include "client/report/report.hpp"
#include "model/expected.hpp"
#include "model/json/json.hpp"

namespace parley::client {

[[nodiscard]] std::string report_document(const Report& report);
/// Each line is returned without its line end.
[[nodiscard]] std::string result_line(const ResultRow& result);
[[nodiscard]] std::string run_line(const RunRow& run);
[[nodiscard]] std::string end_line(const Report& report);

/// Reads an assertion of a result in the form of the document and of the server.
[[nodiscard]] AssertionRow assertion_row_of(const json::Value& value);
/// Reads the `warnings` of a result.
[[nodiscard]] std::vector<WarningRow> warning_rows_of(const json::Value& result);
/// Returns the items of the list; empty if it is absent or not a list.
[[nodiscard]] std::vector<json::Value> items_of(const json::Value& object, std::string_view key);

/// Reads a document, or lines of any number of consecutive reports. All reports are joined into one, so that shards
/// can be combined. Unknown keys and line types are ignored. A file that was cut off is reported in `gaps`. Problem: the
/// number of the first malformed line.
[[nodiscard]] Expected<Report> read_report(std::string_view text, Report joined = {});

}  // namespace parley::client
