#pragma once
/// Finds the shards that the joined reports of a suite lack. Pure; any thread.

#include <string>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// Returns a sentence that names the absent shards of a report whose runs have the part `shard I/N`; empty if all N
/// are present. A shard without tests has a report without runs. `unnamed` such reports do not say which shard they
/// are, so each stands for an absent shard.
[[nodiscard]] std::string absent_shards(const Report& report, std::size_t unnamed);

}  // namespace parley::client
