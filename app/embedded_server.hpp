#pragma once
/// Starts the real server in the process of a command (client/remote/embedded_server.hpp): on a free port of the
/// loopback interface, on a separate thread, and with the key from its data directory.

#include "client/remote/embedded_server.hpp"

namespace parley::app {

/// At most once per process, because the process has only one log.
[[nodiscard]] Expected<std::unique_ptr<client::EmbeddedServer>> start_embedded(
    const client::EmbeddedOptions& options);

}  // namespace parley::app
