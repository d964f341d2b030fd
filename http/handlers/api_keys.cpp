// API keys (D80). A key is created with its text, listed without it, and revoked by DELETE. Only an admin manages
// keys of other users, and no key can create one with more rights than its own.

#include "http/auth/auth.hpp"
#include "http/auth/last_admin.hpp"
#include "http/handlers/record_operations.hpp"

namespace parley::http {
namespace {

bool may_see(const Principal& principal, const ApiKey& key) {
  return principal.is_admin() || key.user.id == principal.user;
}

/// 404 for a revoked key and for keys of other users, whose existence is private.
Expected<ApiKey> key_at(const store::Snapshot& snapshot, const RequestContext& call) {
  TRY(key, record_at<ApiKey>(snapshot, call.id_text()));
  if (key.is_archived || !may_see(call.principal, key))
    return unknown_record(noun_of(RecordKind::api_key), call.id_text());
  return key;
}

std::vector<Scope> scopes_within(Right right) {
  std::vector<Scope> scopes;
  if (right >= Right::read) scopes.push_back(Scope::read);
  if (right >= Right::write) scopes.push_back(Scope::write);
  if (right >= Right::admin) scopes.push_back(Scope::admin);
  return scopes;
}

/// The scopes without duplicates, in the order of their first mention.
std::vector<Scope> distinct(const std::vector<Scope>& scopes) {
  std::vector<Scope> once;
  for (const Scope scope : scopes) {
    if (std::find(once.begin(), once.end(), scope) == once.end()) once.push_back(scope);
  }
  return once;
}

/// Checks the right to create a key for another user. This happens before the faults of the body are answered (D3).
Expected<Done> check_owner(const ApiKey& key, const RequestContext& call) {
  const bool is_own = key.user.id.is_nil() || key.user.id == call.principal.user;
  if (is_own || call.principal.is_admin()) return Done{};
  return problem(ProblemKind::forbidden, "only an admin can create keys for other users");
}

/// Sets the user and scopes of the key: by default the caller, and every scope that both the caller and the user may
/// have.
Expected<Done> complete(ApiKey& key, const RequestContext& call, const store::Snapshot& snapshot,
                        Findings& findings) {
  if (key.user.id.is_nil()) key.user.id = call.principal.user;
  TRY(user, snapshot.find<User>(key.user.id));
  if (!user) {
    findings.add("/user", "there is no user with this id");
    return Done{};
  }
  const Right most = std::min(call.principal.right, right_of(user->role));
  key.scopes = key.scopes.empty() ? scopes_within(most) : distinct(key.scopes);
  if (right_of(key.scopes) > right_of(user->role)) {
    findings.add("/scopes", "must not exceed what the role of the user allows");
  }
  return Done{};
}

Expected<ApiKey> drafted_key(const RequestContext& call, const store::Snapshot& snapshot, In<ApiKey> in) {
  ApiKey& key = in.body;
  TRY_DONE(check_owner(key, call));
  check_links(snapshot, in.findings);
  TRY_DONE(complete(key, call, snapshot, in.findings));
  TRY_DONE(in.check());
  if (right_of(key.scopes) > call.principal.right) {
    return problem(ProblemKind::forbidden, "a key cannot create a key with more rights than its own");
  }
  return std::move(key);
}

/// The record with `key`; its text is shown only here.
std::string json_with_text(const store::Snapshot& snapshot, const ApiKey& key, const std::string& text) {
  std::string shown = record_json(snapshot, key);
  shown.pop_back();
  shown += ",\"key\":";
  json::append_quoted(shown, text);
  return shown + "}";
}

}  // namespace

template <>
struct Specials<ApiKey> : NoSpecials<ApiKey> {
  static void filter(QueryReader& reader, const RequestContext& call, store::ListQuery& query) {
    filter_by_id(reader, query, "user", RecordKind::user, store::Facet::owner);
    if (!call.principal.is_admin()) {
      add_filter(query, store::Facet::owner, {store::value_of(call.principal.user)});
    }
  }
};

Expected<Reply> list_api_keys(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  return list_records<ApiKey>(snapshot, call, list_of(RecordKind::api_key));
}

void create_api_key(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                    ReplyTo reply, In<ApiKey> in) {
  auto drafted = drafted_key(*call, snapshot, std::move(in));
  if (!drafted) return reply(std::move(drafted).problem());
  const auto made = std::make_shared<ApiKey>(std::move(drafted).value());
  const auto text = std::make_shared<std::string>();
  const auto decide = [made, text, &context](const store::Snapshot&, Time now,
                                             IdSource& ids) -> Expected<store::ChangeSet> {
    // generated for each attempt, because the prefix of the previous one may be in use
    NewKey fresh = context.keys.make();
    made->stamp = {ids.next(now), now, 1};
    made->prefix = std::move(fresh.prefix);
    made->hash = std::move(fresh.hash);
    *text = std::move(fresh.text);
    store::ChangeSet changes;
    changes.create(*made);
    changes.claim_unique(store::Namespace::api_key_prefix, made->prefix, made->stamp.id);
    return changes;
  };
  const auto made_id = [made] { return AffectedIds{made->stamp.id}; };
  context.gateway.change_records(
      once(call, decide, made_id), [made, text, call, reply, &context](Expected<Done> done) {
        if (!done.ok()) return reply(std::move(done).problem());
        reply.later([made, text, call, &context]() -> Expected<Reply> {
          Reply shown = json_reply(json_with_text(context.store.snapshot(), *made, *text));
          shown.fields.emplace_back("Location", location_of(*call, made->stamp.id));
          return shown;
        });
      });
}

/// The text was shown once and cannot be recovered (D9, D80).
Expected<Reply> create_api_key_again(const Context&, const store::Snapshot& snapshot,
                                     const RequestContext& call, const AffectedIds& ids) {
  TRY(key, kept_record<ApiKey>(snapshot, ids));
  if (key.is_archived) return unknown_record(noun_of(RecordKind::api_key), to_text(key.stamp.id));
  Reply shown = json_reply(record_json(snapshot, key));
  shown.fields.emplace_back("Location", location_of(call, key.stamp.id));
  return shown;
}

Expected<Reply> get_api_key(const Context&, const store::Snapshot& snapshot, const RequestContext& call) {
  TRY(key, key_at(snapshot, call));
  return tagged_reply(record_json(snapshot, key), call.if_none_match);
}

/// Refuses to revoke the last working admin key.
void revoke_api_key(const Context& context, const store::Snapshot& snapshot, const RequestContextPtr& call,
                    ReplyTo reply) {
  if (auto key = key_at(snapshot, *call); !key) return reply(std::move(key).problem());
  const auto decide = [call](const store::Snapshot& now_stored, Time now,
                             IdSource&) -> Expected<store::ChangeSet> {
    TRY(before, key_at(now_stored, *call));
    auto same = check_state(*call, [&] { return record_json(now_stored, before); });
    if (!same) return std::move(same).problem();
    store::ChangeSet changes;
    ApiKey after = before;
    after.is_archived = true;
    after.stamp.updated_at = std::max(now, Time{before.stamp.updated_at.ms + 1});
    changes.replace(before, after);
    TRY(kept, keep_one_admin(before, now_stored, now, changes));
    return changes;
  };
  context.gateway.change_records(signed_by(call, decide), [reply, &context](Expected<Done> done) {
    if (!done.ok()) return reply(std::move(done).problem());
    context.principals.forget_all();
    reply(empty_reply());
  });
}

}  // namespace parley::http
