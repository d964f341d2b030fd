#pragma once
/// A server that is a node of a cluster (--log): it listens immediately, joins when PostgreSQL answers, and serves until it is
/// asked to stop. Main thread.

#include "app/serve.hpp"

namespace parley::app {

/// As serve_until, which calls it. Needs: config.log_url.
[[nodiscard]] int serve_cluster(const Config& asked, const ServeEvents& events);

}  // namespace parley::app
