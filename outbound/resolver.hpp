#pragma once
/// Resolver: names to addresses, without ever waiting on the thread that asks. The system's resolver blocks for as long
/// as a name server likes and cannot be told to stop, so each lookup has a short-lived thread of its own; calls for one
/// name share a lookup.
///
/// Thread: ask, remembered and answers on the owner's; the lookups on their own. A lookup that is still under way when
/// the resolver goes is left to end by itself.

#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "outbound/address.hpp"
#include "outbound/limits.hpp"

namespace parley::outbound {

/// All addresses of a name; empty when it has none. Blocks; called on threads of its own.
using Lookup = std::function<std::vector<Address>(const std::string& name)>;
/// getaddrinfo.
[[nodiscard]] std::vector<Address> system_lookup(const std::string& name);

}  // namespace parley::outbound
