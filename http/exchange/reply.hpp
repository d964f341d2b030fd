#pragma once
/// Reply: what a handler answers, before the fields that every answer carries (D13) are added. Plain values
/// and pure functions; any thread.

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
  int status = 0;  ///< 0: the success status of the route
  std::string body;
  std::string media_type{json_media_type};
  std::vector<std::pair<std::string, std::string>> fields;
  bool is_unfinished =
      false;  ///< of a call in haste: there is more than that to write; nothing of it is sent
};

[[nodiscard]] Reply json_reply(std::string body);
/// 204 without a body.
[[nodiscard]] Reply empty_reply();
/// With an ETag, or 304 without a body where `if_none_match` names it (D12).
[[nodiscard]] Reply tagged_reply(std::string body, std::string_view if_none_match);
/// The strong entity tag of a body, in quotes. Equal bodies have equal tags as long as the process lives.
[[nodiscard]] std::string entity_tag(std::string_view body);
/// Whether a list of entity tags names this one; `*` names all (RFC 9110 section 13.1). `W/` is looked
/// through, and the tag of the packed form names the same content.
[[nodiscard]] bool names_tag(std::string_view list, std::string_view tag);

/// The answer as the transport sends it: with request id, nosniff, no-store (D10, D13).
[[nodiscard]] Response to_response(Reply reply, int success, std::string_view request_id);
/// A problem+json answer with WWW-Authenticate or Retry-After where they belong (D3, D4).
[[nodiscard]] Response problem_response(const Problem& problem, std::string_view request_id);
/// The same for a request that the transport refuses (D14).
[[nodiscard]] Response fault_response(const FramingFault& fault, std::string_view request_id);

}  // namespace parley::http
