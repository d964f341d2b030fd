#pragma once
/// What `/readyz`, `/version` and `/metrics` report about a node. Pure functions; any thread.

#include "actors/cluster/cluster_gateway.hpp"
#include "http/exchange/metrics.hpp"
#include "model/json/json_writer.hpp"
#include "store/changelog/log_state.hpp"

namespace parley::http {

/// Writes the member `log`. `has_lease`: a leader without a confirmed lease may have a successor, so it reports the
/// role follower. Needs: an open object in `out`.
void write_log_member(json::Writer& out, const actors::NodeView& view, bool has_lease);
void write_log_role(MetricsText& text, bool has_lease);
/// Writes the metrics of the log, of forwarded writes and of the read barrier.
void write_cluster_metrics(MetricsText& text, const actors::ClusterGateway& cluster);
void write_append_metrics(MetricsText& text, const store::LogFigures& figures);

}  // namespace parley::http
