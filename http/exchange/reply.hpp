#pragma once
/// Reply: a handler's answer before the fields of every answer (D13) are added. Plain values and pure functions; any
/// thread.

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "http/protocol/framing_fault.hpp"
#include "http/protocol/response.hpp"
#include "model/expected.hpp"
#include "model/id.hpp"
#include "model/problem.hpp"

namespace parley::http {

inline constexpr std::string_view json_media_type = "application/json";

struct Reply {
  int status = 0;  ///< 0 means the success status of the route
  std::string body;
  std::string media_type{json_media_type};
  std::vector<std::pair<std::string, std::string>> fields;
  bool is_unfinished = false;  ///< for an interactive call: the work takes long; none of it is sent
};

[[nodiscard]] Reply json_reply(std::string body);
/// 204 without a body.
[[nodiscard]] Reply empty_reply();
/// The body with an ETag, or 304 without a body if `if_none_match` contains the tag (D12).
[[nodiscard]] Reply tagged_reply(std::string body, std::string_view if_none_match);
/// The strong entity tag of a body, in quotes. Equal bodies have equal tags during the lifetime of the process.
[[nodiscard]] std::string entity_tag(std::string_view body);
/// Whether a list of entity tags contains this tag; `*` contains all (RFC 9110 section 13.1). `W/` is ignored, and
/// the tag of the compressed form counts as equal.
[[nodiscard]] bool names_tag(std::string_view list, std::string_view tag);

/// The answer for the transport: with request id, nosniff and no-store (D10, D13).
[[nodiscard]] Response to_response(Reply reply, int success, std::string_view request_id);
/// A problem+json answer, with WWW-Authenticate or Retry-After where required (D3, D4).
[[nodiscard]] Response problem_response(const Problem& problem, std::string_view request_id);
/// The same for a request that the transport refuses (D14).
[[nodiscard]] Response fault_response(const FramingFault& fault, std::string_view request_id);

}  // namespace parley::http
