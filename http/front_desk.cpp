#include "http/front_desk.hpp"

#include "http/cluster/log_member.hpp"
#include "http/openapi/docs_page.hpp"
#include "http/openapi/openapi.hpp"
#include "http/routes.hpp"

namespace parley::http {

FrontDesk::FrontDesk(ApiOptions options, const Clock& clock)
    : options_(std::move(options)), request_ids_(clock.now()), counts_(routes().size()) {}

Expected<Reply> FrontDesk::answer(const Request& request) const {
  const std::string_view base = options_.base_path;
  const std::string_view path = request.path.starts_with(base) ? request.path.substr(base.size()) : "";
  const bool is_read = request.method == "GET" || request.method == "HEAD";
  if (is_read && (path == "/healthz" || path == "/readyz" || path == "/version")) return state(path);
  if (is_read && path == "/metrics" && options_.metrics_public) return metrics();
  if (is_read && path == "/openapi.json")
    return json_reply(openapi_json(routes(), options_.version, options_.base_path));
  if (is_read && path == "/docs") return docs_page_reply();
  return problem(ProblemKind::no_leader,
                 "this node has not reached the log of its cluster yet; try again later");
}

Reply FrontDesk::state(std::string_view path) const {
  json::Writer out;
  out.begin_object();
  if (path == "/healthz") out.member("status", "ok");
  if (path == "/readyz") out.member("status", "joining");
  if (path == "/version") write_version(out, options_);
  if (path != "/healthz") write_log_member(out, {}, false);
  out.end_object();
  Reply reply = json_reply(std::move(out).text());
  reply.status = path == "/readyz" ? 503 : 200;
  return reply;
}

Reply FrontDesk::metrics() const {
  MetricsText text;
  text.build_info(options_.version);
  write_log_role(text, false);
  if (options_.more_metrics) options_.more_metrics(text);
  return metrics_reply(std::move(text));
}

Handler FrontDesk::handler() {
  return [this](const Request& request, const Responder& responder) {
    if (Api* api = api_) return api->handle(request, responder);
    CallTrace trace{std::string(request.method),
                    {},
                    routes().size(),
                    request_ids_.keep_or_next(request.text("X-Request-Id")),
                    200,
                    std::chrono::steady_clock::now()};
    const ReplyTo reply(responder, std::move(trace), counts_);
    reply.guarded([&] { reply(answer(request)); });
  };
}

FaultRenderer FrontDesk::fault_renderer() {
  return [this](const FramingFault& fault) {
    if (Api* api = api_) return api->render_fault(fault);
    return fault_response(fault, request_ids_.keep_or_next(fault.request_id));
  };
}

Preauthorizer FrontDesk::preauthorizer() {
  return [this](const Request& head) {
    Api* api = api_;
    return api == nullptr ? BodyPlan(BodyUse::drop) : api->preauthorize(head);
  };
}

}  // namespace parley::http
