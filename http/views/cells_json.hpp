#pragma once
/// The answer of GET /runs/{id}/cells. Pure except for reading the snapshot; any thread.

#include "http/views/run_cells.hpp"

namespace parley::http {

/// `since`: the `rev` of an earlier answer. The answer then has the cells that changed since, and those of the last
/// seconds, because a commit may become visible after a later one. 0: all cells, including planned cells without a
/// result.
[[nodiscard]] Expected<std::string> cells_json(const store::Snapshot& snapshot, const Run& run,
                                               const RunCells& cells, std::int64_t since);

}  // namespace parley::http
