#pragma once
/// The spans of one finished result as OTLP JSON, derived from its record: the conversation, each answered
/// turn, the judge's calls, and the scoring with a gen_ai.evaluation.result for each assertion. The ids are
/// those that agents received in `traceparent`, so an agent's own spans have these spans as parents. Pure
/// except for reads; any thread.
///
///   trace id          of the result (outbound::trace_of)
///   conversation      span id: the second half of the result's id
///   turn              span id: the parent id that the agent received
///   scoring, judge    span ids: that of the conversation with its first digits changed

#include <string>

#include "store/snapshot.hpp"

namespace parley::actors {

struct ResultSpans {
  std::string json;  ///< span objects, separated by commas
  std::size_t count = 0;
};

/// Needs: the result has ended.
[[nodiscard]] Expected<ResultSpans> spans_of_result(const store::Snapshot& snapshot, const ResultHead& head);

/// An ExportTraceServiceRequest with these span objects.
[[nodiscard]] std::string export_request(const std::string& spans);

}  // namespace parley::actors
