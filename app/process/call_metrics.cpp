#include "app/process/call_metrics.hpp"

namespace parley::app {

void write_calls(http::MetricsText& text, const outbound::Figures& figures) {
  text.gauge("parley_calls_in_flight", "Attempts at calls to agents and models in progress.",
             figures.on_wire);
  text.gauge("parley_calls_queued", "Calls that wait for a slot or for their next attempt.", figures.waiting);
  text.gauge("parley_call_breakers_open", "Endpoints that keep failing and are not called for a while.",
             figures.open_breakers);
  text.counter("parley_calls_total", "Calls started.", figures.calls);
  text.counter("parley_call_attempts_total", "Attempts at calls.", figures.attempts);
  text.counter("parley_call_retries_total", "Attempts that were not the first of their call.",
               figures.retries);
  text.counter("parley_call_answers_total", "Calls that ended with an answer of any status.",
               figures.answers);
  text.counter("parley_call_connections_total", "Connections opened.", figures.connections);
  text.counter("parley_call_sent_bytes_total", "Bytes of request bodies.", figures.sent_bytes);
  text.counter("parley_call_received_bytes_total", "Bytes of answers, before decompression.",
               figures.received_bytes);
  text.family("parley_call_failures_total", "counter", "Calls that ended without an answer.");
  for (std::size_t i = 0; i < outbound::failure_kinds; ++i) {
    text.sample("parley_call_failures_total",
                {{"kind", outbound::slug(static_cast<outbound::FailureKind>(i))}}, figures.failures.at(i));
  }
}

}  // namespace parley::app
