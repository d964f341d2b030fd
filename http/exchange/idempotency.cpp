#include "http/exchange/idempotency.hpp"

#include <algorithm>
#include <array>

#include "http/protocol/field_grammar.hpp"
#include "store/engine/encoding.hpp"

namespace parley::http {
namespace {

bool is_key(std::string_view text) {
  return !text.empty() && text.size() <= idempotency_key_chars_max &&
         std::all_of(text.begin(), text.end(), [](char c) { return c > 0x20 && c < 0x7f; });
}

/// An empty body is equivalent to `{}` (D5), so both have the same digest.
std::string digest_of_body(std::string_view body) {
  return store::hex(store::sha256(body == "{}" ? std::string_view() : body));
}

std::string fingerprint(const RequestContext& call, std::string_view key) {
  std::string_view path = call.path;
  while (!path.empty() && path.back() == '/') path.remove_suffix(1);
  std::string text(call.principal.user.key());
  text += static_cast<char>(key.size());
  text.append(key).append(path);
  return store::sha256(text);
}

}  // namespace

Expected<actors::OptionalIdempotency> idempotency_of(const Request& request, const RequestContext& call,
                                                     Time now) {
  const Field* given = nullptr;
  for (const Field& field : request.fields) {
    if (!same_ignoring_case(field.name, "Idempotency-Key")) continue;
    if (given != nullptr || !is_key(field.value)) {
      return parameter_fault("Idempotency-Key", "must be one key of 1 to 255 visible ASCII characters");
    }
    given = &field;
  }
  if (given == nullptr) return actors::OptionalIdempotency{};
  return actors::OptionalIdempotency(
      store::NewIdempotencyRecord{store::idempotency_key(now, fingerprint(call, given->value)),
                                  digest_of_body(call.body), call.route->success, now});
}

std::string_view fingerprint_of(const store::NewIdempotencyRecord& keep) {
  return std::string_view(keep.key).substr(keep.key.size() - 32);
}

RequestIds::RequestIds(const RequestContext& call, const Id& record) : time_(time_of(record)) {
  if (call.keep) request_ = std::string(fingerprint_of(*call.keep)) + call.keep->body;
}

Id RequestIds::next(Time now) {
  if (request_.empty()) return random_.next(now);
  const std::string hash = store::sha256(request_ + std::to_string(count_++));
  std::array<std::uint8_t, 10> tail{};
  std::copy_n(hash.begin(), tail.size(), tail.begin());
  return make_id(time_, tail);
}

store::Author author_of(const RequestContext& call) {
  return {call.principal.key, call.peer, call.route->operation};
}

actors::Origin origin_of(const RequestContext& call) {
  return {call.keep, author_of(call)};
}

actors::Decide signed_by(const RequestContextPtr& call, actors::Decide decide) {
  return [call, decide = std::move(decide)](const store::Snapshot& snapshot, Time now,
                                            IdSource& source) -> Expected<store::ChangeSet> {
    TRY(changes, decide(snapshot, now, source));
    changes.authors.push_back(author_of(*call));
    return changes;
  };
}

actors::Decide once(const RequestContextPtr& call, actors::Decide decide, std::function<AffectedIds()> ids) {
  if (!call->keep) return signed_by(call, std::move(decide));
  return [call, decide = std::move(decide), ids = std::move(ids)](
             const store::Snapshot& snapshot, Time now, IdSource& source) -> Expected<store::ChangeSet> {
    TRY(kept, snapshot.remembered(call->keep->key));
    if (kept) return store::still_in_progress();
    TRY(changes, decide(snapshot, now, source));
    store::remember(changes, *call->keep, ids());
    changes.authors.push_back(author_of(*call));
    return changes;
  };
}

}  // namespace parley::http
