// Sessions of the page (ADR 40): signing in by key or code, reporting who is signed in, and signing out.

#include <spdlog/spdlog.h>

#include "http/auth/auth.hpp"
#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/idempotency.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t code_life_ms = 60'000;
constexpr std::string_view right_words[] = {"none", "read", "write", "admin"};

/// The owner of a session, and when the session ends.
struct SignedIn {
  Principal caller;
  std::optional<Time> until;
  std::string page;  ///< shown once, to the user who signs in
};

Expected<std::string> session_json(const store::Snapshot& snapshot, const SignedIn& signed_in) {
  TRY(user, snapshot.find<User>(signed_in.caller.user));
  if (!user) return no_valid_key();
  json::Writer out;
  out.begin_object().key("user").begin_object();
  out.member("id", to_text(user->stamp.id)).member("name", user->name);
  out.member("role", word_of(user->role)).end_object();
  out.member("right", right_words[static_cast<std::size_t>(signed_in.caller.right)]);
  out.member_or_null("expiresAt", signed_in.until ? std::optional(to_text(*signed_in.until)) : std::nullopt);
  if (!signed_in.page.empty()) out.member("page", signed_in.page);
  out.end_object();
  return std::move(out).text();
}

Problem too_many_failures(int wait_s) {
  Problem limited = problem(ProblemKind::too_many_requests,
                            "too many failed sign-ins from this address; wait and try again");
  limited.retry_after_s = wait_s;
  return limited;
}

Problem no_room() {
  return problem(ProblemKind::busy, "there are too many sessions; end some with DELETE /sessions");
}

/// What a sign-in is based on: the caller who owns the key, and the code that the sign-in consumes.
struct Proof {
  Principal caller;
  std::optional<store::SignInCode> code;
};

/// Problem: unauthorized if the key or code is not valid, or if the code was used or has expired.
Expected<Proof> proof_of(const Context& context, const store::Snapshot& snapshot, const SignInBody& body,
                         Time now) {
  if (body.key) {
    TRY(found, caller_of_key(*body.key, snapshot, context.keys, now));
    return Proof{found.principal, {}};
  }
  TRY(code, store::find_code(snapshot, context.keys.hash_of(*body.code)));
  if (!code || code->until <= now) return no_valid_key();
  TRY(caller, current_principal({{}, code->key, {}, {}, {}}, snapshot, now));
  return Proof{caller, std::move(code)};
}

/// What the decision created, for the answer.
struct Made {
  store::Session session;
  SessionHalves halves;
  Principal caller;
};

Expected<store::ChangeSet> decide_sign_in(const Context& context, const SignInBody& body,
                                          const store::Snapshot& now_stored, Time now, IdSource& ids,
                                          Made& made) {
  TRY(proof, proof_of(context, now_stored, body, now));
  if (!store::has_room_for_session(now_stored)) return no_room();
  made.caller = proof.caller;
  made.session = {ids.next(now), {}, {}, proof.caller.key, now, now, 0};
  made.halves = context.sessions.make_halves(made.session);
  made.caller.session = made.session.id;
  store::ChangeSet changes;
  if (proof.code) store::use_code(changes, *proof.code);
  store::put_session(changes, made.session);
  return changes;
}

Expected<Reply> signed_in_reply(const Context& context, const Made& made) {
  TRY(shown, session_json(context.store.snapshot(), {made.caller, made.session.ends_at(), made.halves.page}));
  Reply reply = json_reply(std::move(shown));
  reply.fields.emplace_back("Set-Cookie", context.sessions.set_cookie(made.halves.cookie));
  return reply;
}

/// Ends all sessions for which `ends` returns true, then answers.
using EndsNow = std::function<bool(const store::Snapshot& snapshot, const store::Session& session)>;
void end_all(const Context& context, const RequestContextPtr& call, const ReplyTo& reply, const EndsNow& ends,
             Reply answer) {
  const auto decide = [ends](const store::Snapshot& now_stored, Time,
                             IdSource&) -> Expected<store::ChangeSet> {
    store::ChangeSet changes;
    store::end_sessions(
        now_stored, [&](const store::Session& session) { return ends(now_stored, session); },
        store::sessions_max, changes);
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide),
                                 [reply, answer = std::move(answer), &context](Expected<Done> done) {
                                   if (!done.ok()) return reply(std::move(done).problem());
                                   context.principals.forget_all();
                                   reply(answer);
                                 });
}

}  // namespace

/// Failures are counted by address, so that keys and codes cannot be guessed quickly. A page of another origin cannot
/// sign its visitor in.
void sign_in(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
             ReplyTo reply, const SignInBody& body) {
  if (call->is_from_other_origin)
    return reply(problem(ProblemKind::forbidden, "a page of another origin cannot sign in"));
  if (body.key.has_value() == body.code.has_value()) {
    Findings findings;
    findings.add("", "must have either key or code");
    return reply(faults_of(std::move(findings)).problem());
  }
  SignInLimiter& limiter = context.sessions.limiter();
  const Time now = context.clock.now();
  if (const int wait_s = limiter.wait_s(call->peer, now); wait_s > 0) return reply(too_many_failures(wait_s));
  if (auto proof = proof_of(context, snapshot, body, now); !proof) {
    if (proof.problem().kind == ProblemKind::unauthorized) limiter.note_failure(call->peer, now);
    return reply(std::move(proof).problem());
  }
  const auto made = std::make_shared<Made>();
  const auto decide = [body, made, &context](const store::Snapshot& now_stored, Time then, IdSource& ids) {
    return decide_sign_in(context, body, now_stored, then, ids, *made);
  };
  context.gateway.change_records(decide, [made, reply, &context](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    spdlog::info("session began session={} user={} key={}", to_text(made->session.id),
                 to_text(made->caller.user), to_text(made->caller.key));
    reply.later([made, &context] { return signed_in_reply(context, *made); });
  });
}

Expected<Reply> get_session(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  SignedIn signed_in{call.principal, {}, {}};
  if (!call.principal.session.is_nil()) {
    TRY(session, store::find_session(snapshot, call.principal.session));
    if (!session) return no_valid_key();
    signed_in.until = session->ends_at();
  } else {
    TRY(key, snapshot.find<ApiKey>(call.principal.key));
    if (key) signed_in.until = key->expires_at;
  }
  TRY(shown, session_json(snapshot, signed_in));
  return json_reply(std::move(shown));
}

/// A call that is authenticated by an API key has no session to end.
void sign_out(const Context& context, const store::Snapshot&, const RequestContextPtr& call, ReplyTo reply) {
  if (call->principal.session.is_nil()) return reply(empty_reply());
  Reply answer = empty_reply();
  answer.fields.emplace_back("Set-Cookie", context.sessions.clear_cookie());
  const Id own = call->principal.session;
  const auto is_own = [own](const store::Snapshot&, const store::Session& session) {
    return session.id == own;
  };
  end_all(context, call, reply, is_own, std::move(answer));
}

void create_sign_in_code(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                         ReplyTo reply, NoBody) {
  if (!call->principal.session.is_nil())
    return reply(problem(ProblemKind::forbidden, "a code is made with an API key, not by a session"));
  const std::string text = Keys::random_secret();
  const Time until{context.clock.now().ms + code_life_ms};
  const store::SignInCode code{context.keys.hash_of(text), call->principal.key, until};
  const auto decide = [code](const store::Snapshot& now_stored, Time,
                             IdSource&) -> Expected<store::ChangeSet> {
    if (!store::has_room_for_session(now_stored)) return no_room();
    store::ChangeSet changes;
    store::put_code(changes, code);
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [reply, text, until](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    json::Writer out;
    out.begin_object().member("code", text).member("expiresAt", to_text(until)).end_object();
    reply(json_reply(std::move(out).text()));
  });
}

/// Ends the sessions of the user in the query, or of the caller by default. Only an admin may name another user.
void end_user_sessions(const Context& context, const store::Snapshot&, const RequestContextPtr& call,
                       ReplyTo reply) {
  QueryReader reader(call->query);
  const Id user = reader.id("user", RecordKind::user).value_or(call->principal.user);
  if (auto read = reader.result(); !read) return reply(std::move(read).problem());
  if (user != call->principal.user && !call->principal.is_admin())
    return reply(problem(ProblemKind::forbidden, "only an admin can end the sessions of other users"));
  const auto is_of_user = [user](const store::Snapshot& now_stored, const store::Session& session) {
    const auto key = now_stored.find<ApiKey>(session.key);
    return key.ok() && *key && (*key)->user.id == user;
  };
  end_all(context, call, reply, is_of_user, empty_reply());
}

}  // namespace parley::http
