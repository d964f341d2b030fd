#pragma once
/// The errors that parley reports to its clients: RFC 9457 problems, one table row per kind (D3, D4). A
/// Problem is a plain value; any thread may make one.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

enum class ProblemKind : std::uint8_t {
  invalid_json,
  invalid_body,
  invalid_parameter,
  invalid_state_for_request,
  duplicate_action,
  page_too_large,
  unauthorized,
  forbidden,
  not_found,
  method_not_allowed,
  not_acceptable,
  conflict,
  conversation_full,
  idempotency_key_in_progress,
  precondition_failed,
  body_too_large,
  unsupported_media_type,
  idempotency_key_reused,
  too_many_requests,
  internal,
  busy,
  draining,
  store_refuses,
};

/// One row of the table of problem kinds. `slug` is stable: `type` of the answer is `/problems/<slug>`.
struct ProblemRow {
  ProblemKind kind;
  std::string_view slug;
  int status;
  std::string_view title;
};

/// All kinds, in the order of the enum.
[[nodiscard]] const ProblemRow& row_of(ProblemKind kind);
[[nodiscard]] const std::vector<ProblemRow>& problem_rows();

/// One fault of the input. `pointer` is an RFC 6901 pointer into the body; `parameter` names a path or query value.
struct Fault {
  std::string pointer;
  std::string parameter;
  std::string detail;
  bool operator==(const Fault&) const = default;
};

/// What went wrong, for whom, and what to do about it.
struct Problem {
  ProblemKind kind = ProblemKind::internal;
  std::string detail;
  std::vector<Fault> faults;
  /// Seconds for Retry-After; 0 leaves the header out.
  int retry_after_s = 0;

  [[nodiscard]] int status() const { return row_of(kind).status; }
  bool operator==(const Problem&) const = default;
};

/// A problem of `kind` whose detail says what to do.
[[nodiscard]] Problem problem(ProblemKind kind, std::string detail);
/// 400 with one fault in the body at `pointer`.
[[nodiscard]] Problem body_fault(std::string pointer, std::string detail);
/// 400 with all faults of a body at once (D3). Needs: at least one fault.
[[nodiscard]] Problem body_faults(std::vector<Fault> faults);
/// 400 for a query value.
[[nodiscard]] Problem parameter_fault(std::string parameter, std::string detail);
/// 404 for a record of `kind` ("test result") with the id as it was asked for.
[[nodiscard]] Problem unknown_record(std::string_view kind, std::string_view id);

/// 412 for a record that changed since the client read it (D12).
[[nodiscard]] Problem changed_meanwhile();

/// The RFC 9457 document; `instance` is the request id (D3).
[[nodiscard]] std::string problem_json(const Problem& problem, std::string_view instance);

}  // namespace parley
