#pragma once
/// What the options say of the world outside: where tester and judge are, which addresses may be called, how many calls
/// at once. Pure but for the two keys in the environment and the look-up of a name; main thread, before anything starts.

#include "actors/world.hpp"
#include "app/config.hpp"
#include "outbound/http_client.hpp"

namespace parley::app {

/// With the numbers of the host to listen on, so that it is looked up once; the public URL keeps the name. Problem: a name
/// without an address.
[[nodiscard]] Result<Config> with_address(Config config);
/// Needs: with_address.
[[nodiscard]] bool listens_on_loopback(const Config& config);
[[nodiscard]] outbound::Guard guard_of(const Config& config);
[[nodiscard]] outbound::Limits call_limits_of(const Config& config);
/// Needs: fault_of(config) finds none.
[[nodiscard]] actors::Settings settings_of(const Config& config);
/// Calls through the client.
[[nodiscard]] actors::Outside outside_of(outbound::HttpClient& client);

}  // namespace parley::app
