#pragma once
/// Determines where to listen: the address of a host name, and a free port for port 0. Thread: any; calls the
/// system's resolver and may block.

#include <cstdint>
#include <string>

#include "http/transport/descriptor.hpp"
#include "model/expected.hpp"

namespace parley::http {

/// The numeric form of the host's first address. A numeric host, with or without brackets, is returned unchanged.
/// `localhost` becomes 127.0.0.1 if it has that address. Problem: internal for a name without an address.
[[nodiscard]] Expected<std::string> numeric_host(const std::string& host);

/// A port that the system does not assign to any other socket while this is held; a server with the same host may
/// listen on it.
struct HeldPort {
  Descriptor socket;  ///< bound, not listening
  std::uint16_t number = 0;
};

/// Reserves a free port, so that its number is known before the server listens. Needs: the result of numeric_host.
/// Problem: internal if the machine does not have the address, or has no free port.
[[nodiscard]] Expected<HeldPort> free_port(const std::string& host);

}  // namespace parley::http
