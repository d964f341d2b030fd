#include "model/problem.hpp"

#include "model/check.hpp"

namespace parley {

const std::vector<ProblemRow>& problem_rows() {
  using enum ProblemKind;
  static const std::vector<ProblemRow> rows{
      {invalid_request_line, "invalid-request-line", 400, "invalid request line"},
      {target_too_long, "target-too-long", 414, "target too long"},
      {unknown_method, "unknown-method", 501, "unknown method"},
      {unsupported_version, "unsupported-version", 505, "unsupported version"},
      {invalid_field, "invalid-field", 400, "invalid field"},
      {fields_too_large, "fields-too-large", 431, "fields too large"},
      {invalid_host, "invalid-host", 400, "invalid host"},
      {invalid_content_length, "invalid-content-length", 400, "invalid content length"},
      {invalid_transfer_encoding, "invalid-transfer-encoding", 400, "invalid transfer encoding"},
      {unknown_transfer_encoding, "unknown-transfer-encoding", 501, "unknown transfer encoding"},
      {repeated_authorization, "repeated-authorization", 400, "repeated authorization"},
      {invalid_chunk, "invalid-chunk", 400, "invalid chunk"},
      {expectation_failed, "expectation-failed", 417, "expectation failed"},
      {request_timeout, "request-timeout", 408, "request timeout"},
      {invalid_json, "invalid-json", 400, "The body is not valid JSON"},
      {invalid_body, "invalid-body", 400, "The body has faults"},
      {invalid_parameter, "invalid-parameter", 400, "A path, query or header value has faults"},
      {invalid_state_for_request, "not-possible-now", 400, "The record's state does not allow this"},
      {duplicate_action, "duplicate-action", 400, "An action of that name is registered already"},
      {page_too_large, "page-too-large", 400, "The page is too large"},
      {unauthorized, "unauthorized", 401, "A valid API key is needed"},
      {forbidden, "forbidden", 403, "The key lacks the required permission"},
      {not_found, "not-found", 404, "Not found"},
      {method_not_allowed, "method-not-allowed", 405, "The path does not support this method"},
      {not_acceptable, "not-acceptable", 406, "Only application/json can be answered"},
      {conflict, "conflict", 409, "The state does not allow this"},
      {conversation_full, "conversation-full", 409, "The conversation is full"},
      {idempotency_key_in_progress, "idempotency-key-in-progress", 409,
       "The first request with this Idempotency-Key is still in progress"},
      {changed_elsewhere, "changed-elsewhere", 409, "Records were changed since they were applied"},
      {precondition_failed, "precondition-failed", 412, "The record has changed"},
      {body_too_large, "body-too-large", 413, "The body is too large"},
      {unsupported_media_type, "unsupported-media-type", 415, "The body must be application/json"},
      {idempotency_key_reused, "idempotency-key-reused", 422,
       "The Idempotency-Key was used with another body"},
      {too_many_requests, "too-many-requests", 429, "Too many requests"},
      {internal, "internal", 500, "The server failed"},
      {busy, "busy", 503, "The server is busy"},
      {draining, "draining", 503, "The server is shutting down"},
      {store_refuses, "store-refuses", 503, "The store is not accepting writes"},
      {no_leader, "no-leader", 503, "No node leads the cluster now"},
      {in_doubt, "in-doubt", 502, "The outcome of the write is not known"},
  };
  return rows;
}

const ProblemRow& row_of(ProblemKind kind) {
  const ProblemRow& row = problem_rows().at(static_cast<std::size_t>(kind));
  CHECK(row.kind == kind);
  return row;
}

Problem problem(ProblemKind kind, std::string detail) {
  const int status = row_of(kind).status;
  const bool is_passing = status == 503 || status == 429 || kind == ProblemKind::idempotency_key_in_progress;
  // A full disk needs a person; clients that retry every second would only load the server.
  constexpr int full_disk_s = 30;
  const int retry_after_s = kind == ProblemKind::store_refuses ? full_disk_s : is_passing ? 1 : 0;
  return {kind, std::move(detail), {}, retry_after_s};
}

namespace {

/// Whether the detail continues a sentence that begins with the location of the fault; any other detail is a
/// whole sentence.
bool reads_on(std::string_view detail) {
  for (const std::string_view verb : {"is ", "must ", "cannot ", "excludes ", "gives "}) {
    if (detail.starts_with(verb)) return true;
  }
  return false;
}

/// A single fault as a sentence with its location (D3).
std::string sentence_of(const Fault& fault) {
  const std::string place = fault.pointer.empty() ? "the body" : fault.pointer;
  return place + (reads_on(fault.detail) ? " " : ": ") + fault.detail;
}

}  // namespace

Problem body_fault(std::string pointer, std::string detail) {
  return body_faults({Fault{std::move(pointer), {}, std::move(detail)}});
}

Problem body_faults(std::vector<Fault> faults) {
  CHECK(!faults.empty());
  std::string detail = faults.size() == 1 ? sentence_of(faults.front())
                                          : std::to_string(faults.size()) + " faults, listed under errors";
  return {ProblemKind::invalid_body, std::move(detail), std::move(faults), 0};
}

Problem parameter_fault(std::string parameter, std::string detail) {
  Problem made{ProblemKind::invalid_parameter, parameter + (reads_on(detail) ? " " : ": ") + detail, {}, 0};
  made.faults.push_back({{}, std::move(parameter), std::move(detail)});
  return made;
}

Problem unknown_record(std::string_view kind, std::string_view id) {
  return problem(ProblemKind::not_found,
                 "there is no " + std::string(kind) + " with the id '" + std::string(id.substr(0, 64)) + "'");
}

Problem changed_meanwhile() {
  return problem(ProblemKind::precondition_failed, "the record has changed since you read it; read it again");
}

}  // namespace parley
