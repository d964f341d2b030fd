#pragma once
/// Runs as one HTML document without links: the index, a block for each transcript, and a table for readers without
/// scripts. Its Content-Security-Policy allows its own script and style by their hashes, and no request. Reads one
/// snapshot.
///
/// Bound: report_bytes_max for the whole document; transcripts that do not fit are left out and listed. Order: failed
/// and undecided results first, then three passed results of each test, then the rest.

#include <string>
#include <vector>

#include "http/views/run_cells.hpp"
#include "model/time.hpp"

namespace parley::http {

inline constexpr std::size_t report_bytes_max = 10 * 1024 * 1024;

enum class ReportTranscripts : std::uint8_t { failed, all, none };

struct ReportOptions {
  ReportTranscripts transcripts = ReportTranscripts::failed;
  std::string_view version;
  Time now;
};

/// Needs: at least one run. The first run is shown first.
[[nodiscard]] Expected<std::string> run_report(const store::Snapshot& snapshot, const std::vector<Run>& runs,
                                               const ReportOptions& options);

}  // namespace parley::http
