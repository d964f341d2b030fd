#include "http/reply_to.hpp"

#include <spdlog/spdlog.h>

#include "http/cors.hpp"
#include "http/gzip.hpp"

namespace parley::http {

ReplyTo::ReplyTo(Responder responder, CallTrace trace, RequestCounts& counts)
    : target_(std::make_shared<Target>(Target{std::move(responder), std::move(trace), counts, {}})) {}

Response ReplyTo::Target::settle(Result<Reply> reply) {
  key.release();  // before the client can know, so that its next request finds the key kept or free
  if (!reply.ok() && reply.problem().status() >= 500) {
    spdlog::error("problem request={} route={} kind={} detail=\"{}\"", trace.request_id, trace.route,
                  row_of(reply.problem().kind).slug, reply.problem().detail);
  }
  Response response = reply.ok() ? to_response(std::move(reply).value(), trace.success, trace.request_id)
                                 : problem_response(reply.problem(), trace.request_id);
  encode(response, trace.wants_gzip);
  response.fields.emplace_back("Vary",
                               trace.varies_by_origin ? "Accept-Encoding, Origin" : "Accept-Encoding");
  if (!trace.allowed_origin.empty()) Cors::expose(response, trace.allowed_origin);
  const auto took = std::chrono::steady_clock::now() - trace.began;
  const auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
  counts.add(trace.route_index, response.status, static_cast<std::uint64_t>(us));
  spdlog::info("request id={} method={} route={} status={} ms={:.3f}{}{}", trace.request_id, trace.method,
               trace.route.empty() ? "-" : trace.route, response.status, static_cast<double>(us) / 1000.0,
               trace.trace ? " trace=" : "", trace.trace ? trace.trace->trace_id : std::string());
  return response;
}

void ReplyTo::operator()(Result<Reply> reply) const {
  target_->responder.send(target_->settle(std::move(reply)));
}

void ReplyTo::later(std::function<Result<Reply>()> render) const {
  target_->responder.send_later(
      [target = target_, render = std::move(render)] { return target->settle(render()); });
}

}  // namespace parley::http
