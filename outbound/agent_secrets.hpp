#pragma once
/// The secrets of one agent, opened for a call. Plain values; any thread.

#include <map>
#include <string>

namespace parley::outbound {

/// Opened secrets of an agent by their names. Never logged, never in a fault's detail (D23).
using Secrets = std::map<std::string, std::string>;

}  // namespace parley::outbound
