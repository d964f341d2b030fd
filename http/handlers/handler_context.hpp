#pragma once
/// Context: what every handler works with. Owned by Api; its parts outlive every request. Thread: any.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "actors/gateway.hpp"
#include "http/auth/api_key_text.hpp"
#include "http/auth/principal_cache.hpp"
#include "http/exchange/metrics.hpp"
#include "http/exchange/route.hpp"
#include "model/clock.hpp"
#include "store/secrets/secrets.hpp"
#include "store/store.hpp"

namespace parley::http {

/// What an operator may set, and what the program hands in.
struct ApiOptions {
  std::string base_path;          ///< `--base-path`
  std::string version = "0.0.0";  ///< of the program, for /version and OpenAPI
  std::int64_t key_rate = 0;      ///< `--key-rate`: POSTs of one key in a second; 0: no limit
  bool metrics_public = false;    ///< `--metrics-public`: /metrics needs no key (D82)
  std::int64_t local_lease_ms =
      60'000;                     ///< `--local-lease`: how long a runner holds what it was offered (D73)
  bool has_tester_model = false;  ///< a model plays the tester, for /version
  bool has_judge_model = false;   ///< a model decides criteria, for /version
  std::vector<std::string> cors_origins;  ///< `--cors-origins`: whose pages may call; none: nobody's
  std::function<bool()> is_ready;         ///< empty: ready as soon as it serves
  /// Adds what others count (transport, pools) to /metrics; empty: nothing.
  std::function<void(MetricsText&)> more_metrics;
};

struct Context {
  store::Store& store;
  actors::Gateway& gateway;
  const Keys& keys;
  const store::Secrets& secrets;
  const Clock& clock;
  const ApiOptions& options;
  const RequestCounts& counts;
  std::span<const Route> routes;  ///< every operation, in the order of `counts`
  PrincipalCache& principals;
};

}  // namespace parley::http
