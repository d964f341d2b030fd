#pragma once
/// The metrics about calls to agents, models and GitHub. Any thread.

#include "http/exchange/metrics.hpp"
#include "outbound/client/http_client.hpp"

namespace parley::app {

void write_calls(http::MetricsText& text, const outbound::Figures& figures);

}  // namespace parley::app
