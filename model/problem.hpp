#pragma once
/// The errors that parley reports to its clients: RFC 9457 problems, one table row per kind (D3, D4). A
/// Problem is a plain value; any thread may create one.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace parley {

enum class ProblemKind : std::uint8_t {
  // Refusals of the transport before a request is complete (D14).
  invalid_request_line,       ///< method, target, version or their separators
  target_too_long,            ///< request line over 8 KiB or target over 4 KiB
  unknown_method,             ///< not one of GET HEAD POST PUT PATCH DELETE OPTIONS
  unsupported_version,        ///< neither HTTP/1.0 nor HTTP/1.1
  invalid_field,              ///< syntax of a field line, its line end, or a trailer
  fields_too_large,           ///< a line over 8 KiB, all over 16 KiB, or more than 64 fields
  invalid_host,               ///< missing, repeated or malformed
  invalid_content_length,     ///< repeated, not a number, or sent with Transfer-Encoding
  invalid_transfer_encoding,  ///< chunked not last, repeated, or sent with HTTP/1.0
  unknown_transfer_encoding,  ///< a coding other than chunked
  repeated_authorization,     ///< two Authorization fields
  invalid_chunk,              ///< size, extension or end of a chunk
  expectation_failed,         ///< an Expect other than 100-continue
  request_timeout,            ///< head or body too slow
  // Errors of the product itself.
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
  changed_elsewhere,
  precondition_failed,
  body_too_large,
  unsupported_media_type,
  idempotency_key_reused,
  too_many_requests,
  internal,
  busy,
  draining,
  store_refuses,
  no_leader,  ///< no node of the cluster currently accepts writes or answers reads
  in_doubt,   ///< it is unknown whether the write happened or will still happen
};

/// One row of the table of problem kinds. `slug` is stable: the response's `type` is `/problems/<slug>`.
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
  /// Seconds for Retry-After; 0 omits the header.
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
/// 400 for a query parameter.
[[nodiscard]] Problem parameter_fault(std::string parameter, std::string detail);
/// 404 for a record of `kind` ("test result") with the requested id.
[[nodiscard]] Problem unknown_record(std::string_view kind, std::string_view id);

/// 412 for a record that changed since the client read it (D12).
[[nodiscard]] Problem changed_meanwhile();

}  // namespace parley
