#pragma once
/// The options for outgoing calls: where tester and judge are, which addresses may be called, and how many calls run
/// concurrently. Pure except for the two keys in the environment and the look-up of a name; main thread, before
/// anything starts.

#include "actors/services.hpp"
#include "app/options/config.hpp"
#include "http/transport/listen_host.hpp"
#include "outbound/client/http_client.hpp"

namespace parley::app {

/// The options with the actual listening address and public URL.
struct Place {
  Config config;
  http::HeldPort held;  ///< empty except for an ephemeral port (`--listen HOST:0`)
};

/// Resolves the host once and determines the real port before either is announced; the public URL keeps the name.
/// Problem: a name without an address, or no free port.
[[nodiscard]] Expected<Place> place_of(Config config);
/// Whether a model plays the tester of instructions that are not scripts (D61).
[[nodiscard]] bool plays_by_model(const Config& config);
/// Needs: place_of.
[[nodiscard]] bool listens_on_loopback(const Config& config);
[[nodiscard]] outbound::Guard guard_of(const Config& config);
[[nodiscard]] outbound::CallLimits call_limits_of(const Config& config);
/// Settings with the public URL from place_of. Needs: fault_of(config) found no error.
[[nodiscard]] actors::Settings settings_of(const Config& config);
/// Calls use the client that `client()` points to when they start.
template <class Client>
[[nodiscard]] actors::OutboundPort outside_by(Client client) {
  actors::OutboundPort outside;
  outside.start = [client](outbound::HttpRequest request, outbound::RetryRules rules,
                           std::function<void(outbound::HttpOutcome, int)> done) {
    return client()->start(std::move(request), rules, std::move(done));
  };
  outside.cancel = [client](outbound::CallId call) { client()->cancel(call); };
  outside.held_bytes = [client] { return client()->held_bytes(); };
  outside.epoch = [client] { return client()->epoch(); };
  outside.cancel_group = [client](const Id& run, std::function<void()> done) {
    client()->cancel_group(run, std::move(done));
  };
  return outside;
}
/// Calls use this client.
[[nodiscard]] actors::OutboundPort outside_of(outbound::HttpClient& client);

}  // namespace parley::app
