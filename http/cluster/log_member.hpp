#pragma once
/// What `/readyz`, `/version` and `/metrics` report of a node. Pure functions; any thread.

#include "actors/cluster/cluster_gateway.hpp"
#include "http/exchange/metrics.hpp"
#include "model/json/json_writer.hpp"
#include "store/changelog/log_state.hpp"

namespace parley::http {

/// The member `log`. Needs: an open object in `out`.
void write_log_member(json::Writer& out, const actors::NodeView& view);
void write_log_role(MetricsText& text, const actors::NodeView& view);
/// The metrics of the log, of passed-on writes and of the read barrier.
void write_cluster_metrics(MetricsText& text, const actors::ClusterGateway& cluster);
void write_append_metrics(MetricsText& text, const store::LogFigures& figures);

}  // namespace parley::http
