#include "http/cluster/log_member.hpp"

namespace parley::http {

void write_log_member(json::Writer& out, const actors::NodeView& view, bool has_lease) {
  out.key("log").begin_object();
  out.member("node", to_text(view.self)).member("role", has_lease ? "leader" : "follower");
  out.key("term").integer(static_cast<std::int64_t>(view.term));
  out.key("head").integer(static_cast<std::int64_t>(view.head));
  out.key("applied").integer(static_cast<std::int64_t>(view.applied));
  out.key("lagMs").integer(view.lag_ms);
  out.end_object();
}

void write_log_role(MetricsText& text, bool has_lease) {
  const auto one_if = [](bool is_so) { return std::uint64_t{is_so ? 1U : 0U}; };
  text.family("parley_log_role", "gauge", "1 for the role that this node has in its cluster.");
  text.sample("parley_log_role", {{"role", "leader"}}, one_if(has_lease));
  text.sample("parley_log_role", {{"role", "follower"}}, one_if(!has_lease));
}

void write_cluster_metrics(MetricsText& text, const actors::ClusterGateway& cluster) {
  const auto view = cluster.view();
  const actors::ClusterFigures& figures = cluster.figures();
  write_log_role(text, cluster.lease_left_ms() > 0);
  text.gauge("parley_log_term", "Number of the current lead.", view->term);
  text.gauge("parley_log_head", "Position of the last row of the log.", view->head);
  text.gauge("parley_log_applied", "Position up to which this node has the log.", view->applied);
  text.family("parley_log_lag_seconds", "gauge", "Age of this node's copy, if it lacks rows.");
  text.sample("parley_log_lag_seconds", {}, static_cast<double>(view->lag_ms) / 1e3);
  text.gauge("parley_log_bytes", "Bytes of the rows that the log keeps.", view->log_bytes);
  text.counter("parley_log_fenced_total", "Times that this node stopped leading.", figures.fenced);
  text.counter("parley_log_rebases_total", "Copies that were replaced by the log's base.", figures.rebases);
  text.counter("parley_log_diverged_total", "Times that the copy did not agree with the log.",
               figures.diverged);
  text.counter("parley_forward_requests_total", "Writes passed on to the leader.", figures.forwarded);
  text.counter("parley_forward_held_total", "Of these, those that waited for a leader.", figures.held);
  text.counter("parley_forward_failed_total", "Of these, those answered no-leader, in-doubt or busy.",
               figures.failed);
  text.family("parley_lease_left_seconds", "gauge",
              "Time until this leader stops work unless its lease is renewed.");
  text.sample("parley_lease_left_seconds", {}, static_cast<double>(cluster.lease_left_ms()) / 1e3);
  text.family("parley_barrier_seconds", "histogram", "Time that reads waited for the leader's answer.");
  const actors::LatencyCounts& barrier = figures.barrier;
  text.histogram("parley_barrier_seconds", {}, actors::LatencyCounts::bucket_us,
                 {barrier.counts.begin(), barrier.counts.end()}, barrier.total_us.load());
}

void write_append_metrics(MetricsText& text, const store::LogFigures& figures) {
  text.family("parley_log_append_seconds", "histogram", "One batch of writes, until the log has it.");
  text.histogram("parley_log_append_seconds", {}, store::LogFigures::bucket_us,
                 {figures.latency.begin(), figures.latency.end()}, figures.append_us);
  text.counter("parley_log_in_doubt_total", "Appends whose outcome was not known immediately.",
               figures.in_doubt);
}

}  // namespace parley::http
