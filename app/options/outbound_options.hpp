#pragma once
/// What the options say of the world outside: where tester and judge are, which addresses may be called, how many calls
/// at once. Pure but for the two keys in the environment and the look-up of a name; main thread, before anything starts.

#include "actors/services.hpp"
#include "app/options/config.hpp"
#include "http/transport/listen_host.hpp"
#include "outbound/client/http_client.hpp"

namespace parley::app {

/// The options with the place to listen at, and the public URL, as they are.
struct Place {
  Config config;
  http::HeldPort held;  ///< empty, but where any port will do (`--listen HOST:0`)
};

/// The numbers of the host, so that it is looked up once, and the real port, before anybody is told of it; the public URL keeps
/// the name. Problem: a name without an address, or no port.
[[nodiscard]] Expected<Place> place_of(Config config);
/// Whether a model plays the tester of instructions that are no scripts (D61).
[[nodiscard]] bool plays_by_model(const Config& config);
/// Needs: place_of.
[[nodiscard]] bool listens_on_loopback(const Config& config);
[[nodiscard]] outbound::Guard guard_of(const Config& config);
[[nodiscard]] outbound::CallLimits call_limits_of(const Config& config);
/// With the public URL that place_of found. Needs: fault_of(config) finds none.
[[nodiscard]] actors::Settings settings_of(const Config& config);
/// Calls through the client.
[[nodiscard]] actors::OutboundPort outside_of(outbound::HttpClient& client);

}  // namespace parley::app
