#include "model/records/retry_cause.hpp"

namespace parley {
namespace {

RetryCause cause_of(FaultSource source) {
  switch (source) {
    case FaultSource::agent: return RetryCause::agent;
    case FaultSource::tester: return RetryCause::tester;
    case FaultSource::judge: return RetryCause::judge;
    case FaultSource::infrastructure: return RetryCause::infrastructure;
    case FaultSource::client: return RetryCause::client;
    case FaultSource::test: return RetryCause::test;
  }
  return RetryCause::infrastructure;
}

/// For heads written before the cause was stored: a verdict leaves sums, a failure leaves its error.
ResultStatus status_of_old(const ResultHead& head) {
  if (head.error) return ResultStatus::failed;
  return head.sums ? ResultStatus::completed : ResultStatus::canceled;
}

}  // namespace

FaultSource fault_of_error(const ResultHead& head) {
  const auto error = json::parse(head.error ? head.error->text : "{}");
  if (!error) return FaultSource::infrastructure;
  const auto source = error->root().find("source");
  const auto word =
      source && source->is(json::Kind::string) ? from_word<FaultSource>(source->string()) : std::nullopt;
  return word.value_or(FaultSource::infrastructure);
}

ResultHead before_retry(const ResultHead& head) {
  ResultHead before = head;
  if (head.retired_by) before.status = head.retired_from.value_or(status_of_old(head));
  return before;
}

RetryCause retry_cause(const ResultHead& head) {
  const ResultHead before = before_retry(head);
  if (before.status == ResultStatus::failed) return cause_of(fault_of_error(before));
  if (before.status != ResultStatus::completed) return RetryCause::unfinished;
  if (before.has_outcome()) return before.overall_passed ? RetryCause::passed : RetryCause::answer;
  return cause_of(before.fault.value_or(FaultSource::judge));
}

}  // namespace parley
