#pragma once
/// Finds the shards that the joined reports of a suite lack. Pure; any thread.

#include <string>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// Returns a sentence that names the absent shards of runs whose part is `shard I/N`; empty if all N are present.
/// A shard without tests has a report without runs: `reports_without_runs` of them stand for absent shards.
[[nodiscard]] std::string absent_shards(const std::vector<RunRow>& runs, std::size_t reports_without_runs);

}  // namespace parley::client
