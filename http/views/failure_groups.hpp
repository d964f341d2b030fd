#pragma once
/// The answer of GET /runs/{id}/failures: groups of results with the same failure signature, and whether the groups
/// occurred in earlier runs. Pure except for reading the snapshot; any thread. Reads the results of five earlier
/// runs.

#include "http/views/run_cells.hpp"

namespace parley::http {

[[nodiscard]] Expected<std::string> failure_groups_json(const store::Snapshot& snapshot, const Run& run,
                                                        const RunCells& cells);

}  // namespace parley::http
