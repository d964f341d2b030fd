#include "http/exchange/request_context.hpp"

#include <utility>

#include "http/exchange/route.hpp"
#include "http/protocol/percent.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

std::optional<TraceParent> trace_of(const Request& request) {
  const Field* field = request.find("traceparent");
  if (field == nullptr || request.count("traceparent") > 1) return std::nullopt;
  return TraceParent::read(field->value);
}

std::shared_ptr<RequestContext> request_context_of(const Request& request, const Route& route,
                                                   std::vector<std::string> path_values,
                                                   std::string request_id, const Principal& principal) {
  auto call = std::make_shared<RequestContext>();
  call->route = &route;
  call->path_values = std::move(path_values);
  call->path = normal_path(request.path);
  call->request_id = std::move(request_id);
  call->raw_query = request.query;
  call->query = parse_query(request.query);
  call->content_type = request.text("Content-Type");
  call->content_encoding = request.joined("Content-Encoding");
  call->body = request.body;
  call->if_match = request.joined("If-Match");
  call->if_none_match = request.joined("If-None-Match");
  call->last_event_id = request.text("Last-Event-ID");
  call->accepts_chunks = request.minor_version > 0;
  call->prefer = prefer_of(request);
  call->trace = trace_of(request);
  call->principal = principal;
  call->peer = request.peer;
  call->is_change = route.method != "GET";
  call->is_interactive =
      (route.form == Gives::page || route.may_be_long) && std::holds_alternative<AnswerNow>(route.handle);
  return call;
}

}  // namespace parley::http
