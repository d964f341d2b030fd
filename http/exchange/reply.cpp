#include "http/exchange/reply.hpp"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>

#include "http/protocol/field_grammar.hpp"
#include "http/protocol/gzip.hpp"
#include "model/json/problem_json.hpp"

namespace parley::http {
namespace {

constexpr std::string_view cache_control = "Cache-Control";
constexpr std::string_view problem_media_type = "application/problem+json";

Response bare_response(int status, std::string_view request_id) {
  Response response;
  response.status = status;
  response.fields.emplace_back("X-Request-Id", request_id);
  response.fields.emplace_back("X-Content-Type-Options", "nosniff");
  response.fields.emplace_back(cache_control, "no-store");
  return response;
}

/// The form of the tag (plain or compressed) that a list element names; empty if it names neither.
std::string named_form(std::string_view element, std::string_view tag) {
  if (element.substr(0, 2) == "W/") element.remove_prefix(2);
  if (element == "*" || element == tag) return std::string(tag);
  std::string packed = packed_tag(tag);
  return element == packed ? packed : std::string();
}

/// The tag that a 304 repeats: the form under which the client knows its copy.
std::string known_form(std::string_view list, std::string_view tag) {
  if (list.empty()) return {};
  for (const std::string_view element : list_elements(list)) {
    if (std::string form = named_form(element, tag); !form.empty()) return form;
  }
  return {};
}

}  // namespace

Reply json_reply(std::string body) {
  Reply reply;
  reply.body = std::move(body);
  return reply;
}

Reply empty_reply() {
  Reply reply;
  reply.status = 204;
  return reply;
}

std::string entity_tag(std::string_view body) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string tag = "\"";
  for (std::uint64_t hash = XXH3_64bits(body.data(), body.size()), i = 0; i < 16; ++i, hash >>= 4)
    tag += digits[hash & 15];
  return tag + '"';
}

bool names_tag(std::string_view list, std::string_view tag) {
  const auto elements = list_elements(list);
  return std::any_of(elements.begin(), elements.end(),
                     [&](std::string_view each) { return !named_form(each, tag).empty(); });
}

Reply tagged_reply(std::string body, std::string_view if_none_match) {
  std::string tag = entity_tag(body);
  Reply reply;
  if (std::string known = known_form(if_none_match, tag); !known.empty()) {
    reply.status = 304;
    tag = std::move(known);
  } else {
    reply.body = std::move(body);
  }
  reply.fields.emplace_back("ETag", std::move(tag));
  return reply;
}

Response to_response(Reply reply, int success, std::string_view request_id) {
  Response response = bare_response(reply.status == 0 ? success : reply.status, request_id);
  if (may_have_body(response.status))
    response.fields.emplace_back("Content-Type", std::move(reply.media_type));
  for (auto& field : reply.fields) {
    if (field.first == cache_control)
      std::erase_if(response.fields, [](const auto& each) { return each.first == cache_control; });
    response.fields.push_back(std::move(field));
  }
  response.body = std::move(reply.body);
  return response;
}

Response problem_response(const Problem& problem, std::string_view request_id) {
  Response response = bare_response(problem.status(), request_id);
  response.fields.emplace_back("Content-Type", problem_media_type);
  if (problem.kind == ProblemKind::unauthorized) response.fields.emplace_back("WWW-Authenticate", "Bearer");
  if (problem.retry_after_s > 0)
    response.fields.emplace_back("Retry-After", std::to_string(problem.retry_after_s));
  response.body = problem_json(problem, request_id);
  return response;
}

Response fault_response(const FramingFault& fault, std::string_view request_id) {
  return problem_response(problem(fault.kind, fault.detail), request_id);
}

}  // namespace parley::http
