#include "http/front_desk.hpp"

#include "http/cluster/log_member.hpp"
#include "http/routes.hpp"

namespace parley::http {

FrontDesk::FrontDesk(ApiOptions options, const Clock& clock)
    : options_(std::move(options)), request_ids_(clock.now()), counts_(routes().size()) {}

Expected<Reply> FrontDesk::answer(const Request& request) const {
  const std::string_view base = options_.base_path;
  const std::string_view path = request.path.starts_with(base) ? request.path.substr(base.size()) : "";
  const bool is_ready = path == "/readyz";
  json::Writer out;
  out.begin_object();
  if (path == "/healthz") {
    out.member("status", "ok");
  } else if (is_ready) {
    out.member("status", "joining");
  } else if (path == "/version") {
    out.member("version", options_.version);
    out.key("models").begin_object();
    out.key("tester").boolean(options_.has_tester_model);
    out.key("judge").boolean(options_.has_judge_model);
    out.end_object();
  } else {
    return problem(ProblemKind::no_leader,
                   "this node has not reached the log of its cluster yet; try again later");
  }
  if (path != "/healthz") write_log_member(out, {});
  out.end_object();
  Reply reply = json_reply(std::move(out).text());
  reply.status = is_ready ? 503 : 200;
  return reply;
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
