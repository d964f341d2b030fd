#pragma once
/// The JSON document of a report and its lines (JSON Lines). Keys are only ever added within `"v": 1`.
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
/// Without the line end.
[[nodiscard]] std::string result_line(const ResultRow& result);
[[nodiscard]] std::string run_line(const RunRow& run);
[[nodiscard]] std::string end_line(const Report& report);

/// An assertion of a result, as the document and the server write it.
[[nodiscard]] AssertionRow assertion_row_of(const json::Value& value);
/// The `warnings` of a result.
[[nodiscard]] std::vector<WarningRow> warning_rows_of(const json::Value& result);
/// The members of the list; empty if it is absent or not a list.
[[nodiscard]] std::vector<json::Value> items_of(const json::Value& object, std::string_view key);

/// Reads a document or lines, with any number of consecutive reports: shards are joined by reading all of them into one.
/// Unknown keys and types of lines are ignored. Problem: the first malformed line, by its number.
[[nodiscard]] Expected<Report> read_report(std::string_view text, Report joined = {});

}  // namespace parley::client
