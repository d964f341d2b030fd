#include "http/api.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <stdexcept>

#include "http/auth/auth.hpp"
#include "http/auth/key_use.hpp"
#include "http/exchange/body.hpp"
#include "http/exchange/gzip.hpp"
#include "http/exchange/idempotency.hpp"
#include "http/exchange/pattern_weight.hpp"
#include "http/openapi/openapi_tables.hpp"
#include "http/protocol/field_grammar.hpp"
#include "http/protocol/percent.hpp"
#include "http/routes.hpp"

namespace parley::http {
namespace {

constexpr std::size_t request_id_chars_max = 128;

bool is_request_id(std::string_view text) {
  return !text.empty() && text.size() <= request_id_chars_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

std::string value_of(const Request& request, std::string_view name) {
  const Field* field = request.find(name);
  return field == nullptr ? std::string() : std::string(field->value);
}

/// All lines of a list field as one (RFC 9110 section 5.3).
std::string joined(const Request& request, std::string_view name) {
  std::string all;
  for (const Field& field : request.fields) {
    if (same_ignoring_case(field.name, name)) all.append(all.empty() ? "" : ", ").append(field.value);
  }
  return all;
}

struct MediaType {
  std::string_view type;
  std::string_view subtype;
};

MediaType media_type_of(Gives form) {
  switch (form) {
    case Gives::text: return {"text", "plain"};
    case Gives::html: return {"text", "html"};
    case Gives::one:
    case Gives::page:
    case Gives::nothing: break;
  }
  return {"application", "json"};
}

/// How closely a range of Accept names a type; of several the closest one decides (RFC 9110 section 12.5.1).
enum class Closeness { none, any, type, exact };

Closeness closeness_of(std::string_view range, const MediaType& given) {
  const std::string type = std::string(given.type) + "/";
  if (same_ignoring_case(range, type + std::string(given.subtype))) return Closeness::exact;
  if (same_ignoring_case(range, type + "*")) return Closeness::type;
  return range == "*/*" || range == "*" ? Closeness::any : Closeness::none;
}

/// Whether a weight says `q=0`.
bool is_refused(std::string_view weight) {
  return !weight.empty() && weight.find_first_not_of("0.") == std::string_view::npos;
}

bool accepts(std::string_view accept, const MediaType& given) {
  Closeness closest = Closeness::none;
  bool is_taken = false;
  for (const std::string_view element : list_elements(accept)) {
    const auto [range, weight] = preferred(element);
    const Closeness closeness = closeness_of(range, given);
    if (closeness == Closeness::none || closeness < closest) continue;
    is_taken = !is_refused(weight) || (closeness == closest && is_taken);
    closest = closeness;
  }
  return is_taken;
}

Expected<Done> check_accept(const Request& request, const Route& route) {
  const std::string accept = joined(request, "Accept");
  if (trimmed(accept).empty() || route.form == Gives::nothing) return Done{};
  const MediaType given = media_type_of(route.form);
  if (accepts(accept, given)) return Done{};
  return problem(ProblemKind::not_acceptable,
                 "accept " + std::string(given.type) + "/" + std::string(given.subtype));
}

/// Two of them are none: nobody can say which one holds.
std::optional<TraceParent> trace_of(const Request& request) {
  const Field* field = request.find("traceparent");
  if (field == nullptr || request.count("traceparent") > 1) return std::nullopt;
  return TraceParent::read(field->value);
}

/// A parameter that the operation does not have is ignored, or a fault where the client asked for strict handling (D5): a
/// misspelt filter would answer with all rows. What the values must be the operation says itself.
Expected<Done> check_query(const RequestContext& call) {
  if (call.query.size() > query_parameters_max)
    return parameter_fault(call.query[query_parameters_max].name,
                           "is one parameter too many; send at most " + std::to_string(query_parameters_max));
  QueryReader reader(call.query);
  if (!call.prefer.is_strict || call.route->right == Right::none) return reader.result();
  for (const QueryParameter& each : call.query) {
    if (!takes_parameter(*call.route, each.name))
      reader.fault(each.name, "is no parameter of this operation");
  }
  return reader.result();
}

Reply preflight_reply(const Match& match) {
  Reply reply = empty_reply();
  reply.fields = Cors::permissions(match.methods);
  return reply;
}

/// What a client that may not delete is to do: records of the directory are archived, all `/COLLECTION/{id}` that take PATCH.
std::string words_of_405(const Request& request, const Match& match) {
  std::string words = "this path takes " + match.methods;
  if (request.method == "DELETE" && match.can_be_archived)
    words += "; to be rid of the record archive it: PATCH it with {\"isArchived\": true}";
  return words;
}

}  // namespace

Api::Api(store::Store& store, actors::Gateway& gateway, Keys keys, store::Secrets secrets, const Clock& clock,
         ApiOptions options)
    : options_(std::move(options)),
      keys_(keys),
      secrets_(secrets),
      request_prefix_(to_text(RandomIds().next(clock.now())).substr(19) + "-"),
      counts_(routes().size()),
      key_pace_(options_.key_rate),
      context_{store, gateway, keys_, secrets_, clock, options_, counts_, routes(), principals_, key_uses_},
      cors_(options_.cors_origins),
      router_(routes(), options_.base_path) {
  while (!options_.base_path.empty() && options_.base_path.back() == '/') options_.base_path.pop_back();
}

Handler Api::handler() {
  return [this](const Request& request, const Responder& responder) { handle(request, responder); };
}

FaultRenderer Api::fault_renderer() {
  return [this](const FramingFault& fault) { return render_fault(fault); };
}

Preauthorizer Api::head_judge() {
  return [this](const Request& head) { return preauthorize(head); };
}

Response Api::render_fault(const FramingFault& fault) {
  const std::string id = is_request_id(fault.request_id) ? fault.request_id : new_request_id();
  spdlog::info("request refused id={} status={} kind={}", id, fault.status(), fault.slug());
  return fault_response(fault, id);
}

std::string Api::new_request_id() {
  return request_prefix_ + std::to_string(++requests_);
}

std::string Api::request_id_of(const Request& request) {
  const Field* given = request.find("X-Request-Id");
  if (given != nullptr && is_request_id(given->value)) return std::string(given->value);
  return new_request_id();
}

std::shared_ptr<RequestContext> Api::call_of(const Request& request, Match match, std::string request_id,
                                             Principal principal) const {
  auto call = std::make_shared<RequestContext>();
  call->route = match.route;
  call->path_values = std::move(match.values);
  call->path = normal_path(request.path);
  call->request_id = std::move(request_id);
  call->raw_query = request.query;
  call->query = parse_query(request.query);
  call->content_type = value_of(request, "Content-Type");
  call->content_encoding = joined(request, "Content-Encoding");
  call->body = request.body;
  call->if_match = joined(request, "If-Match");
  call->if_none_match = joined(request, "If-None-Match");
  call->prefer = prefer_of(request);
  call->trace = trace_of(request);
  call->principal = principal;
  call->peer = request.peer;
  call->is_in_haste =
      call->route->form == Gives::page && std::holds_alternative<AnswerNow>(call->route->handle);
  return call;
}

Reply Api::without_route(const Request& request, const Match& match, const std::string& request_id) const {
  Reply reply;
  if (!match.methods.empty() && request.method == "OPTIONS") {
    reply = empty_reply();
  } else {
    const Problem why = match.methods.empty()
                            ? problem(ProblemKind::not_found, "no operation has this path; see /openapi.json")
                            : problem(ProblemKind::method_not_allowed, words_of_405(request, match));
    reply.status = why.status();
    reply.body = problem_json(why, request_id);
    reply.media_type = "application/problem+json";
  }
  if (!match.methods.empty()) reply.fields.emplace_back("Allow", match.methods);
  return reply;
}

/// Whether nobody is asked who they are (D82).
bool Api::is_open(const Match& match) const {
  return match.route != nullptr &&
         (match.route->right == Right::none || (options_.metrics_public && match.route->form == Gives::text));
}

Expected<Principal> Api::caller_of(const Request& request, PrincipalCache::CacheSnapshot& known,
                                   const store::Snapshot& snapshot) {
  TRY(who, authenticate(request, snapshot, keys_, known, context_.clock.now()));
  if (who.is_use_due) note_use(context_, who.principal.key);
  return who.principal;
}

BodyUse Api::preauthorize(const Request& head) {
  try {
    return use_of_body(head);
  } catch (const std::runtime_error&) {
    return BodyUse::keep;  // a store that cannot be read is for handle() to tell
  }
}

BodyUse Api::use_of_body(const Request& head) {
  const Match match = router_.match(head.method, head.path);
  const bool is_preflight = !cors_.allowed(head).empty() && Cors::is_preflight(head);
  if (is_open(match) || (is_preflight && !match.methods.empty())) return BodyUse::drop;
  PrincipalCache::CacheSnapshot known = principals_.glance();
  const auto who = caller_of(head, known, context_.store.snapshot());
  if (who.ok()) return match.route == nullptr ? BodyUse::drop : BodyUse::keep;
  return who.problem().kind == ProblemKind::unauthorized ? BodyUse::refuse : BodyUse::keep;
}

void Api::answer(const Request& request, const ReplyTo& reply, Match match, const std::string& request_id) {
  PrincipalCache::CacheSnapshot known = principals_.glance();
  const store::Snapshot snapshot = context_.store.snapshot();
  const bool needs_key = !is_open(match);
  Principal principal;
  if (needs_key) {
    auto who = request.is_refused ? Expected<Principal>(nobody()) : caller_of(request, known, snapshot);
    if (!who) return reply(std::move(who).problem());
    principal = *who;
  }
  if (match.route == nullptr) return reply(without_route(request, match, request_id));
  const Route& route = *match.route;
  if (needs_key) {
    if (auto allowed = allow(principal, route.right); !allowed) return reply(std::move(allowed).problem());
  }
  if (needs_key && route.method == "POST" && !key_pace_.admits(principal.key, context_.clock.now())) {
    return reply(
        problem(ProblemKind::too_many_requests, "this key has sent its share of this second; send slower"));
  }
  if (auto status = check_accept(request, route); !status) return reply(std::move(status).problem());
  const auto call = call_of(request, std::move(match), request_id, principal);
  if (auto status = check_query(*call); !status) return reply(std::move(status).problem());
  if (std::holds_alternative<AnswerOnce>(route.handle)) {
    auto keep = idempotency_of(request, *call, context_.clock.now());
    if (!keep) return reply(std::move(keep).problem());
    call->keep = std::move(keep).value();
  }
  if (route.takes_patterns && may_hold_costly_patterns(*call)) {
    return in_turn(call, reply, [this, reply](const store::Snapshot& then, const RequestContextPtr& checked) {
      carry_out(then, checked, reply);
    });
  }
  carry_out(snapshot, call, reply);
}

void Api::carry_out(const store::Snapshot& snapshot, const RequestContextPtr& call, const ReplyTo& reply) {
  const auto& handle = call->route->handle;
  if (const auto* once = std::get_if<AnswerOnce>(&handle)) {
    if (!call->keep) return once->first(context_, snapshot, call, reply);
    return answer_once(*once, call, reply);
  }
  if (const auto* now = std::get_if<AnswerNow>(&handle)) return answer_now(*now, snapshot, call, reply);
  std::get<AnswerLater>(handle)(context_, snapshot, call, reply);
}

/// A key may have been revoked while the call waited, its user disabled or given less: then it is refused as if it came now.
Expected<Done> Api::recheck_access(RequestContext& call, const store::Snapshot& snapshot) const {
  if (call.principal.key.is_nil()) return Done{};  // nobody was asked who they are
  TRY(caller, look_again(call.principal, snapshot, context_.clock.now()));
  call.principal = caller;
  return allow(caller, call.route->right);
}

/// Needs: nobody else has the call.
actors::Completion<Done> Api::when_due(std::shared_ptr<RequestContext> call, const ReplyTo& reply,
                                       Work work) {
  return [this, call = std::move(call), reply, work = std::move(work)](Expected<Done> turn) {
    if (turn.ok() && reply.has_left()) turn = problem(ProblemKind::busy, "the client has left");
    if (!turn.ok()) return reply(std::move(turn).problem());
    reply.guarded([&] {
      const store::Snapshot snapshot = context_.store.snapshot();
      if (auto status = recheck_access(*call, snapshot); !status) return reply(std::move(status).problem());
      work(snapshot, call);
    });
  };
}

/// On a thread for long work, where other clients do not wait for this one (I65).
void Api::run_in_background(std::shared_ptr<RequestContext> call, const ReplyTo& reply, Work work) {
  context_.gateway.in_background(when_due(std::move(call), reply, std::move(work)));
}

/// The same, where users take turns: one with many connections waits, with however many keys, and nobody else does.
void Api::in_turn(std::shared_ptr<RequestContext> call, const ReplyTo& reply, Work work) {
  const Id owner = call->principal.user;
  const std::size_t bytes = call->body.size();
  context_.gateway.in_turn(owner, bytes, when_due(std::move(call), reply, std::move(work)));
}

/// A large page is begun anew at leisure: a second of it here would be a second for every other client of this thread (I65).
void Api::answer_now(AnswerNow make, const store::Snapshot& snapshot, const RequestContextPtr& call,
                     const ReplyTo& reply) {
  auto made = make(context_, snapshot, *call);
  if (!made.ok() || !made->is_unfinished) return reply(std::move(made));
  auto background_call = std::make_shared<RequestContext>(*call);
  background_call->is_in_haste = false;
  run_in_background(std::move(background_call), reply,
                    [this, make, reply](const store::Snapshot& then, const RequestContextPtr& same) {
                      reply(make(context_, then, *same));
                    });
}

/// D9. Whoever had the key before, a repeat too, may have kept its effect by now: so the store is read after the key was asked
/// for, and only what is not there is refused to those who did not get it.
void Api::answer_once(const AnswerOnce& handle, const RequestContextPtr& call, const ReplyTo& reply) {
  auto hold = keys_under_way_.take(std::string(fingerprint_of(*call->keep)));
  const bool is_first = hold.has_value();
  if (is_first) reply.hold(std::move(*hold));
  const store::Snapshot snapshot = context_.store.snapshot();
  if (auto again = answer_again(handle, snapshot, *call)) return reply(*std::move(again));
  if (!is_first) return reply(store::still_in_progress());
  handle.first(context_, snapshot, call, reply);
}

/// What a repeat is answered; nothing for a request whose key is not kept.
std::optional<Expected<Reply>> Api::answer_again(const AnswerOnce& handle, const store::Snapshot& snapshot,
                                                 const RequestContext& call) const {
  const auto known =
      store::find_idempotency_record(snapshot, fingerprint_of(*call.keep), context_.clock.now());
  if (!known.ok()) return known.problem();
  if (!*known) return std::nullopt;
  if ((*known)->body != call.keep->body) {
    return problem(ProblemKind::idempotency_key_reused, "take a new Idempotency-Key for a new request");
  }
  auto again = handle.again(context_, snapshot, call, (*known)->ids);
  if (!again.ok()) return again;
  again->status = (*known)->status;
  again->fields.emplace_back("Idempotency-Replayed", "true");
  return again;
}

void Api::handle(const Request& request, const Responder& responder) {
  Match match = router_.match(request.method, request.path);
  CallTrace trace{std::string(request.method), {},  routes().size(),
                  request_id_of(request),      200, std::chrono::steady_clock::now()};
  if (match.route != nullptr) {
    trace.route = match.route->path;
    trace.route_index = static_cast<std::size_t>(match.route - routes().data());
    trace.success = match.route->success;
  }
  const std::string request_id = trace.request_id;
  trace.wants_gzip = wants_gzip(joined(request, "Accept-Encoding"));
  trace.allowed_origin = cors_.allowed(request);
  trace.varies_by_origin = cors_.varies();
  trace.trace = trace_of(request);
  const bool is_preflight = !trace.allowed_origin.empty() && Cors::is_preflight(request);
  const ReplyTo reply(responder, std::move(trace), counts_);
  if (is_preflight && !match.methods.empty()) return reply(preflight_reply(match));
  reply.guarded([&] { answer(request, reply, std::move(match), request_id); });
}

}  // namespace parley::http
