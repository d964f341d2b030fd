#pragma once
/// Sends the spans of finished results to the collector of --otlp-endpoint. The queue is bounded: beyond it results are
/// dropped and counted, so that a slow collector never slows a run. Nothing is durable. Event-based.

#include <deque>
#include <set>

#include "actors/services.hpp"
#include "actors/telemetry/telemetry_handle.hpp"
#include "actors/telemetry/telemetry_options.hpp"

namespace parley::actors {

class TelemetryActor : public Telemetry::base {
 public:
  TelemetryActor(caf::actor_config& config, Services& services, const TelemetryOptions& options,
                 TelemetryFigures& figures);

  behavior_type make_behavior() override;

 private:
  void take(const ResultsTouched& touched);
  void flush();
  void returned(const SpansReturned& message);
  /// Remembers that this state of the result was sent; false if it was sent before.
  [[nodiscard]] bool note_sent(const ResultHead& head);

  Services& services_;
  TelemetryOptions options_;
  TelemetryFigures& figures_;
  std::deque<Id> waiting_;
  std::set<Id> is_waiting_;
  bool is_flushing_ = false;  ///< a timer is set
  bool is_sending_ = false;
  std::set<std::pair<Id, std::int64_t>> sent_;  ///< results with the number of their verdict
  std::deque<std::pair<Id, std::int64_t>> sent_in_order_;
};

}  // namespace parley::actors
