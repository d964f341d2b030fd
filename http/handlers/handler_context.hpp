#pragma once
/// Context: what every handler works with. Owned by Api; its parts must outlive every request. Thread: any.

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "actors/cluster/cluster_gateway.hpp"
#include "actors/gateway.hpp"
#include "actors/streams/event_stream.hpp"
#include "http/auth/api_key_text.hpp"
#include "http/auth/principal_cache.hpp"
#include "http/auth/sessions.hpp"
#include "http/exchange/metrics.hpp"
#include "http/exchange/route.hpp"
#include "http/protocol/client_address.hpp"
#include "model/clock.hpp"
#include "store/secrets/secrets.hpp"
#include "store/store.hpp"

namespace parley::http {

/// The operator's settings, and the values that the program provides.
struct ApiOptions {
  std::string base_path;                  ///< `--base-path`
  std::string public_url;                 ///< `--public-url`: browsers' URL; empty: use the Host field
  std::string version = "0.0.0";          ///< the program's version, for /version and OpenAPI
  std::int64_t key_rate = 0;              ///< `--key-rate`: POSTs per key and second; 0: no limit
  bool metrics_public = false;            ///< `--metrics-public`: /metrics needs no key (D82)
  std::int64_t local_lease_ms = 60'000;   ///< `--local-lease`: lease time of work offered to a runner (D73)
  bool has_tester_model = false;          ///< a model plays the tester, for /version
  bool has_judge_model = false;           ///< a model decides criteria, for /version
  std::vector<Network> trusted_proxies;   ///< `--trusted-proxies`: trusted to report the client
  std::vector<std::string> cors_origins;  ///< `--cors-origins`: origins whose pages may call; empty: none
  std::string ui_dir;                     ///< `--ui-dir`: the page's files on disk; empty: the embedded files
  actors::ClusterGateway* cluster = nullptr;  ///< null: single node
  std::function<bool()> is_ready;             ///< empty: ready as soon as it serves
  /// Adds the metrics of transport and pools to /metrics; empty: none.
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
  Sessions& sessions;
  actors::EventGateway* events = nullptr;  ///< null: no event streams
  std::shared_ptr<actors::EventRenderer> event_renderer = {};
};

/// The members `version` and `models` of `GET /version`. Needs: an open object in `out`.
void write_version(json::Writer& out, const ApiOptions& options);

}  // namespace parley::http
