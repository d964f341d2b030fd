#pragma once
/// What a single-node server and a cluster node have in common when they start and stop. Main thread, unless noted.

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "actors/gateway.hpp"
#include "actors/lifecycle/supervisor.hpp"
#include "app/options/config.hpp"
#include "app/process/serve_events.hpp"
#include "http/auth/bootstrap.hpp"
#include "http/handlers/handler_context.hpp"
#include "http/transport/server.hpp"
#include "outbound/client/http_client.hpp"
#include "store/side/work_marks.hpp"

namespace parley::app {

/// D91 allows ten seconds in total; the remaining time is for the last commits.
inline constexpr std::chrono::milliseconds drain_for{7'500};

/// Logs the pace of calls, so that an operator who sees a slow run finds the reason. Any thread.
void log_pace(const outbound::SlowedOrigin& slowed);
/// The exit code after a failed start. An internal problem means that stored data is damaged.
[[nodiscard]] int cannot_start(const Problem& problem);
/// The server has no address or no thread; stored data is not affected.
[[nodiscard]] int cannot_listen(const Problem& problem);
/// Older versions refuse the file from now on, so the log must show when this happened.
void log_migration(const store::Store& store);
void log_recovered(const actors::Recovered& recovered);
/// Commits one change set through the records actor and waits for it. Any thread.
[[nodiscard]] Expected<Done> commit_now(actors::Gateway& gateway, store::ChangeSet changes);
/// The URL of the page for a browser on this machine.
[[nodiscard]] std::string page_url(const Config& config, std::uint16_t port);
/// Reads the header Authorization from the environment, like other secrets.
[[nodiscard]] actors::TelemetryOptions telemetry_of(const Config& config);
void show_first_key(const std::string& key);
[[nodiscard]] http::ServerOptions transport_of(const Config& config);
/// Read by requests for /metrics; set as long as the server exists.
using Serving = std::atomic<const http::Server*>;
[[nodiscard]] http::ApiOptions api_options_of(const Config& config, std::function<outbound::Figures()> calls,
                                              const actors::TelemetryFigures& telemetry,
                                              const Serving& serving);
[[noreturn]] void end_with_broken_store(const std::string& why);
[[nodiscard]] http::Bootstrap first_of(const Config& config, const ServeEvents& events, const Clock& clock);
/// Null if the disk is full; records can still be read then.
[[nodiscard]] std::unique_ptr<store::WorkMarks> opened_marks(const Config& config);

}  // namespace parley::app
