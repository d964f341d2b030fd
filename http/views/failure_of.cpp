#include "http/views/failure_of.hpp"

#include "model/outcome/state_letter.hpp"
#include "scoring/review.hpp"

namespace parley::http {
namespace {

/// The keyword of the fault's source; empty for letters that do not denote a fault.
std::string_view source_of(char state) {
  constexpr std::string_view letters = "atjice";
  const auto place = letters.find(state);
  return place == std::string_view::npos ? std::string_view() : Words<FaultSource>::all.at(place);
}

Expected<std::optional<scoring::Failure>> failure_of_scored(const store::Snapshot& snapshot,
                                                            const ResultHead& head,
                                                            scoring::FailureKind kind) {
  TRY(verdict, snapshot.verdict(head));
  if (!verdict) return std::optional<scoring::Failure>{};
  auto failure = scoring::failure_of_verdict(scoring::results_of(*verdict), kind);
  if (!failure && kind == scoring::FailureKind::undecided) {
    failure.emplace();
    failure->kind = kind;
    failure->says = failure->reason = "No assertion was decided.";
    failure->signature = "0000000000000000";
  }
  return failure;
}

}  // namespace

Expected<std::optional<scoring::Failure>> failure_of(const store::Snapshot& snapshot, const ResultHead& head,
                                                     char state) {
  if (state == 'f' || state == 'q') return failure_of_scored(snapshot, head, scoring::FailureKind::verdict);
  if (state == 'u') return failure_of_scored(snapshot, head, scoring::FailureKind::undecided);
  const std::string_view source = source_of(state);
  if (source.empty()) return std::optional<scoring::Failure>{};
  return std::optional(scoring::failure_of_fault(head.error ? head.error->text : "", source));
}

Expected<std::string> group_of(const store::Snapshot& snapshot, const ResultHead& head, char state) {
  const bool is_scored = state == 'f' || state == 'q' || state == 'u';
  if (is_scored && head.group) return *head.group;
  TRY(failure, failure_of(snapshot, head, state));
  return failure ? std::move(failure->signature) : std::string();
}

}  // namespace parley::http
