#pragma once
/// Where to listen: the address that a name stands for, and a port where any will do. Thread: any; asks the system's resolver
/// and may block.

#include <cstdint>
#include <string>

#include "http/transport/descriptor.hpp"
#include "model/expected.hpp"

namespace parley::http {

/// The numbers of the first address of the host; numbers, in brackets or not, stay as they are. `localhost` is 127.0.0.1
/// where it has that address. Problem: internal, for a name without an address.
[[nodiscard]] Expected<std::string> numeric_host(const std::string& host);

/// A port that nobody else is given while this is kept; a server with the same host may listen at it.
struct HeldPort {
  Descriptor socket;  ///< bound, not listening
  std::uint16_t number = 0;
};

/// Any free port, so that it is known before the server listens. Needs: what numeric_host gave. Problem: internal, where the
/// machine does not have the address, or no port.
[[nodiscard]] Expected<HeldPort> free_port(const std::string& host);

}  // namespace parley::http
