#include "actors/telemetry/telemetry_actor.hpp"

#include <spdlog/spdlog.h>

#include "actors/base/actor_failure.hpp"
#include "actors/base/commit_outcome.hpp"
#include "actors/telemetry/result_spans.hpp"

namespace parley::actors {
namespace {

constexpr std::chrono::seconds collect_for{1};
constexpr std::size_t waiting_max = 10'000;
constexpr std::size_t results_of_request_max = 100;
constexpr std::size_t request_bytes_max = 2 * 1024 * 1024;  ///< the last result may exceed it
constexpr std::size_t sent_kept_max = 20'000;

std::string traces_url(std::string endpoint) {
  while (endpoint.ends_with('/')) endpoint.pop_back();
  return endpoint.ends_with("/v1/traces") ? endpoint : endpoint + "/v1/traces";
}

}  // namespace

TelemetryActor::TelemetryActor(caf::actor_config& config, Services& services, const TelemetryOptions& options,
                               TelemetryFigures& figures)
    : Telemetry::base(config), services_(services), options_(options), figures_(figures) {}

TelemetryActor::behavior_type TelemetryActor::make_behavior() {
  set_exception_handler(ends_process("telemetry actor", services_));
  return {
      [this](const ResultsTouched& touched) { take(touched); },
      [this](const SpansReturned& message) { returned(message); },
      [this](Flush) {
        is_flushing_ = false;
        flush();
      },
  };
}

void TelemetryActor::take(const ResultsTouched& touched) {
  for (const Id& id : touched.results) {
    if (is_waiting_.contains(id)) continue;
    if (waiting_.size() >= waiting_max) {
      ++figures_.dropped;
      continue;
    }
    waiting_.push_back(id);
    is_waiting_.insert(id);
  }
  if (!is_sending_ && !std::exchange(is_flushing_, true)) delayed_send(this, collect_for, Flush{});
}

bool TelemetryActor::note_sent(const ResultHead& head) {
  // A review or the archived flag also changes a finished result, but the verdict stays the same.
  const std::pair key{head.stamp.id, head.rescored};
  if (!sent_.insert(key).second) return false;
  sent_in_order_.push_back(key);
  if (sent_in_order_.size() > sent_kept_max) {
    sent_.erase(sent_in_order_.front());
    sent_in_order_.pop_front();
  }
  return true;
}

void TelemetryActor::flush() {
  if (is_sending_ || *services_.is_stopping) return;
  const store::Snapshot snapshot = services_.store.snapshot();
  std::string spans;
  std::size_t count = 0;
  for (std::size_t results = 0; !waiting_.empty() && results < results_of_request_max;) {
    if (spans.size() >= request_bytes_max) break;
    const Id id = waiting_.front();
    waiting_.pop_front();
    is_waiting_.erase(id);
    const auto made = guarded<ResultSpans>([&]() -> Expected<ResultSpans> {
      TRY(head, snapshot.find<ResultHead>(id));
      if (!head || !is_terminal(head->status) || !note_sent(*head)) return ResultSpans{};
      return spans_of_result(snapshot, *head);
    });
    if (!made || made->count == 0) continue;  // damage is reported when the result is read
    ++results;
    count += made->count;
    if (!spans.empty()) spans += ',';
    spans += made->json;
  }
  if (count == 0) return;
  outbound::HttpRequest request;
  request.url = traces_url(options_.endpoint);
  request.is_trusted = true;  // the operator's own URL
  request.fields = {{"Content-Type", "application/json"}};
  if (!options_.authorization.empty()) request.fields.emplace_back("Authorization", options_.authorization);
  request.body = export_request(spans);
  request.total_ms = 30'000;
  is_sending_ = true;
  const outbound::RetryRules rules{.attempts = 3, .repeats_after_send = true};
  services_.outside.start(std::move(request), rules,
                          [me = Telemetry{this}, count](outbound::HttpOutcome outcome, int) {
                            caf::anon_send(me, SpansReturned{count, std::move(outcome)});
                          });
}

void TelemetryActor::returned(const SpansReturned& message) {
  is_sending_ = false;
  const auto* answer = std::get_if<outbound::HttpAnswer>(&message.outcome);
  if (answer != nullptr && answer->status / 100 == 2) {
    figures_.sent += message.spans;
  } else {
    if (figures_.failed == 0) {  // logged once; the counter has the total
      spdlog::warn("spans not taken url={} detail=\"{}\"", options_.endpoint,
                   answer != nullptr ? "status " + std::to_string(answer->status)
                                     : std::get<outbound::Failure>(message.outcome).detail);
    }
    figures_.failed += message.spans;
  }
  if (!waiting_.empty()) flush();
}

}  // namespace parley::actors
