#pragma once
/// A server that is a node of a cluster (--log). It listens immediately, joins when PostgreSQL answers, and serves
/// until it is asked to stop. Main thread.

#include "app/serve.hpp"

namespace parley::app {

/// Like serve_until, which calls it. Needs: config.log_url.
[[nodiscard]] int serve_cluster(const Config& asked, const ServeEvents& events);

}  // namespace parley::app
