#pragma once
/// Starts the real server in the process of a command (client/remote/embedded_server.hpp): on a free port of the
/// loopback interface, on a separate thread, and with the key in its data directory.

#include "client/remote/embedded_server.hpp"

namespace parley::app {

/// Once in a process: the log is that of the process.
[[nodiscard]] Expected<std::unique_ptr<client::EmbeddedServer>> start_embedded(
    const client::EmbeddedOptions& options);

}  // namespace parley::app
