#pragma once
/// The spans of one finished result as OTLP JSON, derived from its record: the conversation, each turn that was answered, the
/// judge's part, the scoring with a gen_ai.evaluation.result for each assertion. The ids are those that agents got in
/// `traceparent`, so an agent's own spans have them as parents. Pure but for reading; any thread.
///
///   trace id          of the result (outbound::trace_of)
///   conversation      span id: the second half of the result's id
///   turn              span id: the parent id that the agent got
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
