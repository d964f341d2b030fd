#pragma once
/// The outcomes of a run as HTML that needs no script: a sentence, the failure groups, and a table of results. Pure
/// except for reading the snapshot.

#include "http/views/run_cells.hpp"
#include "store/snapshot.hpp"

namespace parley::http {

/// The input of the sentence and the table.
struct ReportSource {
  const store::Snapshot& snapshot;
  const Run& run;
  const RunCells& cells;
  std::string scenario;  ///< its name
  std::string agent;
};

/// `163 of 184 decided passed, 89 % (83-92). 21 did not; 9 undecided, 7 agent faults.`
[[nodiscard]] std::string outcome_sentence(const store::RunCounters& counters, const RunCells& cells);
[[nodiscard]] Expected<std::string> report_table(const ReportSource& source);
[[nodiscard]] std::string_view report_table_style();

}  // namespace parley::http
