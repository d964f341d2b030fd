#include "http/api.hpp"

#include <spdlog/spdlog.h>

#include <functional>
#include <stdexcept>
#include <thread>

#include "actors/base/commit_outcome.hpp"
#include "http/auth/auth.hpp"
#include "http/auth/key_use.hpp"
#include "http/exchange/accept.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/pattern_weight.hpp"
#include "http/openapi/openapi_tables.hpp"
#include "http/protocol/gzip.hpp"
#include "http/routes.hpp"
#include "http/views/event_views.hpp"
#include "model/json/problem_json.hpp"

namespace parley::http {
namespace {

/// Rejects a parameter that the operation does not have, unless handling=lenient (D99): a misspelled filter would
/// return all rows. The operation itself checks the values.
Expected<Done> check_query(const RequestContext& call) {
  if (call.query.size() > query_parameters_max)
    return parameter_fault(call.query[query_parameters_max].name,
                           "is one parameter too many; send at most " + std::to_string(query_parameters_max));
  QueryReader reader(call.query);
  if (call.prefer.is_lenient || call.route->right == Right::none) return reader.result();
  for (const QueryParameter& each : call.query) {
    if (accepts_parameter(*call.route, each.name)) continue;
    const std::string known = parameters_of(*call.route);
    reader.fault(each.name, known.empty() ? "is not a parameter of this operation, which takes none"
                                          : "is not a parameter of this operation, which takes " + known);
  }
  return reader.result();
}

/// Whether the body is small enough for a request without a key.
bool is_small(const Request& head) {
  constexpr std::size_t digits_max = 4;  // digits of a length below 10,000
  const Field* length = head.find("Content-Length");
  return length != nullptr && length->value.size() <= digits_max;
}

/// RFC 9110 section 13.1: a POST does not address a version of a record, so a condition on one cannot hold.
Expected<Done> check_conditions(const RequestContext& call) {
  const bool names_version = !call.if_match.empty() && call.if_match != "*";
  if (call.route->method == "POST" && names_version)
    return problem(ProblemKind::precondition_failed,
                   "a POST has no ETag to compare; send it without If-Match");
  return Done{};
}

/// Counts a call while it lasts.
class AtWork {
 public:
  explicit AtWork(std::atomic<std::size_t>& count) : count_(count) { ++count_; }
  ~AtWork() { --count_; }
  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;

 private:
  std::atomic<std::size_t>& count_;
};

Reply preflight_reply(const Match& match) {
  Reply reply = empty_reply();
  reply.fields = Cors::permissions(match.methods);
  return reply;
}

/// Explains how to archive a record of a collection without DELETE.
std::string detail_of_405(const Request& request, const Match& match) {
  std::string detail = "this path takes " + match.methods;
  if (request.method == "DELETE" && match.can_be_archived)
    detail += "; to archive the record, PATCH it with {\"isArchived\": true}";
  return detail;
}

}  // namespace

Api::Api(store::Store& store, actors::Gateway& gateway, Keys keys, const store::Secrets& secrets,
         const Clock& clock, ApiOptions options, actors::EventGateway* events)
    : options_(std::move(options)),
      keys_(keys),
      sessions_(keys_, options_.public_url),
      secrets_(secrets),
      request_ids_(clock.now()),
      counts_(routes().size()),
      rate_limiter_(options_.key_rate),
      context_{store,   gateway,  keys_,       secrets_,  clock,  options_,
               counts_, routes(), principals_, sessions_, events, std::make_shared<EventViews>()},
      runner_(context_),
      cors_(options_.cors_origins),
      proxies_(options_.trusted_proxies),
      router_(routes(), options_.base_path),
      page_(options_.base_path, options_.ui_dir) {
  while (!options_.base_path.empty() && options_.base_path.back() == '/') options_.base_path.pop_back();
  if (options_.cluster != nullptr) desk_.emplace(*options_.cluster, keys_, clock, options_.base_path);
}

Handler Api::handler() {
  return [this](const Request& request, const Responder& responder) { handle(request, responder); };
}

FaultRenderer Api::fault_renderer() {
  return [this](const FramingFault& fault) { return render_fault(fault); };
}

Preauthorizer Api::preauthorizer() {
  return [this](const Request& head) { return preauthorize(head); };
}

Response Api::render_fault(const FramingFault& fault) {
  const std::string id = request_ids_.keep_or_next(fault.request_id);
  Response response = fault_response(fault, id);
  const std::string origin = cors_.allowed(fault.origin);
  if (cors_.varies()) response.fields.emplace_back("Vary", "Origin");
  if (!origin.empty()) Cors::expose(response, origin);
  const auto report = [this, id, slug = fault.slug()](int status, bool was_sent) {
    if (was_sent) counts_.add(routes().size(), status, 0);
    spdlog::info("request refused id={} status={} kind={}", id, status, slug);
  };
  response.report = std::make_shared<AnswerReport>(report, response.status);
  return response;
}

Reply Api::without_route(const Request& request, const Match& match, const std::string& request_id) const {
  Reply reply;
  if (!match.methods.empty() && request.method == "OPTIONS") {
    reply = empty_reply();
  } else {
    const Problem why = match.methods.empty()
                            ? problem(ProblemKind::not_found, "no operation has this path; see /openapi.json")
                            : problem(ProblemKind::method_not_allowed, detail_of_405(request, match));
    reply.status = why.status();
    reply.body = problem_json(why, request_id);
    reply.media_type = "application/problem+json";
  }
  if (!match.methods.empty()) reply.fields.emplace_back("Allow", match.methods);
  return reply;
}

/// Whether the route can be called without an API key (D82).
bool Api::is_open(const Match& match) const {
  return match.route != nullptr &&
         (match.route->right == Right::none || (options_.metrics_public && match.route->form == Gives::text));
}

Expected<Principal> Api::caller_of(const Request& request, PrincipalCache::CacheSnapshot& known,
                                   const store::Snapshot& snapshot) {
  TRY(who, authenticate(request, snapshot, {keys_, sessions_}, known, context_.clock.now()));
  const Principal& caller = who.principal;
  if (who.is_use_due && (!desk_ || desk_->accepts_writes())) note_used({caller.key, caller.session});
  if (who.is_use_due && desk_ && !desk_->accepts_writes()) desk_->pass_use_on({caller.key, caller.session});
  return caller;
}

void Api::note_used(const UsedKey& used) {
  if (used.session.is_nil()) return note_use(context_.gateway, context_.clock, used.key);
  note_session_use(context_.gateway, context_.clock, used.session);
}

BodyPlan Api::preauthorize(const Request& head) {
  const AtWork work(at_work_);
  if (is_closed_) return BodyUse::drop;
  try {
    return plan_of_body(head);
  } catch (const std::runtime_error&) {
    return BodyUse::keep;  // handle() reports a store that cannot be read
  }
}

BodyPlan Api::plan_of_body(const Request& head) {
  if (page_.owns(head.path)) return BodyUse::drop;
  const Match match = router_.match(head.method, head.path);
  const bool is_preflight = !cors_.allowed(head).empty() && Cors::is_preflight(head);
  if (is_preflight && !match.methods.empty()) return BodyUse::drop;
  if (is_open(match)) return match.route->takes && is_small(head) ? BodyUse::keep : BodyUse::drop;
  PrincipalCache::CacheSnapshot known = principals_.snapshot();
  const auto who = caller_of(head, known, context_.store.snapshot());
  if (!who.ok()) {
    // A key that was created on another node a moment ago may not be in this copy yet; the leader decides.
    const bool is_known =
        who.problem().kind == ProblemKind::unauthorized && (!desk_ || desk_->accepts_writes());
    return is_known ? BodyUse::refuse : BodyUse::keep;
  }
  if (match.route == nullptr) return BodyUse::drop;
  if (!allow(*who, match.route->right) && (!desk_ || desk_->accepts_writes())) return BodyUse::refuse;
  return {BodyUse::keep, std::hash<std::string_view>{}(who->user.key()) | 1U};
}

/// Authenticates the caller and checks the right. Problem: 401 or 403; always a problem if the body was discarded.
Expected<Principal> Api::allowed_caller(const Request& request, PrincipalCache::CacheSnapshot& known,
                                        const store::Snapshot& snapshot, const Route* route) {
  TRY(who, caller_of(request, known, snapshot));
  if (route != nullptr) TRY_DONE(allow(who, route->right));
  if (request.is_refused)
    return problem(ProblemKind::busy,
                   "the key's rights changed while the body was sent; send the request again");
  return who;
}

void Api::answer(const Request& request, const ReplyTo& reply, Match match, const std::string& request_id,
                 const store::Address& client) {
  PrincipalCache::CacheSnapshot known = principals_.snapshot();
  const store::Snapshot snapshot = context_.store.snapshot();
  const bool needs_key = !is_open(match);
  Principal principal;
  if (needs_key) {
    auto who = allowed_caller(request, known, snapshot, match.route);
    if (!who) return reply(std::move(who).problem());
    principal = *who;
    reply.is_of(principal);
  }
  if (!principal.session.is_nil()) {
    if (auto own = sessions_.check_write(request); !own) return reply(std::move(own).problem());
  }
  if (match.route == nullptr) return reply(without_route(request, match, request_id));
  const Route& route = *match.route;
  if (needs_key && route.method == "POST" && !rate_limiter_.admits(principal.key, context_.clock.now())) {
    return reply(problem(ProblemKind::too_many_requests,
                         "this key has used its share of this second; send fewer requests"));
  }
  if (auto status = check_accept(request, route.form); !status) return reply(std::move(status).problem());
  const auto call = request_context_of(request, route, std::move(match.values), request_id, principal);
  reply.report(call->ignored);
  call->is_from_other_origin = request.find("Origin") != nullptr && !sessions_.is_own_origin(request);
  call->peer = client;
  if (auto status = check_query(*call); !status) return reply(std::move(status).problem());
  if (auto status = check_conditions(*call); !status) return reply(std::move(status).problem());
  if (std::holds_alternative<AnswerOnce>(route.handle)) {
    auto keep = idempotency_of(request, *call, context_.clock.now());
    if (!keep) return reply(std::move(keep).problem());
    call->keep = std::move(keep).value();
  }
  const bool is_long = call->body.size() > bounds::body_bytes_at_once_max;
  if (is_long || (route.accepts_patterns && may_hold_costly_patterns(*call))) {
    return runner_.run_in_turn(call, reply);
  }
  runner_.run(snapshot, call, reply);
}

void Api::close() {
  is_closed_ = true;
  while (at_work_ > 0) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Api::handle(const Request& request, const Responder& responder) {
  const auto of = desk_ ? desk_->from_node(request) : std::nullopt;
  if (!of) return take(request, responder, proxies_.client_of(request), false);
  take(ClusterDesk::as_sent(request, *of), responder,
       address_from_text(of->client).value_or(store::Address{}), true);
}

/// `was_passed_on`: the request was passed on by another node of the cluster, which knows the client.
void Api::take(const Request& request, const Responder& responder, const store::Address& client,
               bool was_passed_on) {
  Match match = router_.match(request.method, request.path);
  CallTrace trace{std::string(request.method),
                  {},
                  routes().size(),
                  request_ids_.keep_or_next(request.text("X-Request-Id")),
                  200,
                  std::chrono::steady_clock::now()};
  if (match.route != nullptr) {
    trace.route = match.route->path;
    trace.route_index = static_cast<std::size_t>(match.route - routes().data());
    trace.success = match.route->success;
  }
  const std::string request_id = trace.request_id;
  trace.wants_gzip = wants_gzip(request.joined("Accept-Encoding"));
  trace.ends_line = request.text("Accept") == "*/*" && request.text("User-Agent").starts_with("curl/");
  trace.allowed_origin = cors_.allowed(request);
  trace.varies_by_origin = cors_.varies();
  if (request.method == "GET" || request.method == "HEAD") trace.if_match = request.joined("If-Match");
  trace.trace = trace_of(request);
  const bool is_of_page = page_.owns(request.path);
  const bool is_preflight = !trace.allowed_origin.empty() && Cors::is_preflight(request);
  trace.client = client;
  const ReplyTo reply(responder, std::move(trace), counts_);
  if (is_of_page) return reply.guarded([&] { reply(page_.answer(request)); });
  if (is_preflight && !match.methods.empty()) return reply(preflight_reply(match));
  if (!desk_) return reply.guarded([&] { answer(request, reply, std::move(match), request_id, client); });
  const auto here = [this, request_id, client](const Request& of, const ReplyTo& to) {
    const AtWork work(at_work_);
    if (is_closed_) return to(actors::no_leader());
    answer(of, to, router_.match(of.method, of.path), request_id, client);
  };
  const AtWork work(at_work_);
  if (is_closed_) return reply(actors::no_leader());
  if (was_passed_on) {
    if (auto said = desk_->answer_node(request, [this](const UsedKey& used) { note_used(used); }))
      return reply(std::move(*said));
  }
  reply.guarded([&] { desk_->place(request, reply, text_of(client), was_passed_on, here); });
}

}  // namespace parley::http
