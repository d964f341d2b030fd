#pragma once
/// The Idempotency-Key of a POST (D9): how a request is identified, and how its record is stored together with its
/// effect. Pure functions; any thread.
///
///   fingerprint = SHA-256 of: user id, size of the key as one byte, key, normal path (percent.hpp) without trailing
/// slashes

#include <functional>

#include "actors/gateway.hpp"
#include "http/exchange/request_context.hpp"
#include "http/exchange/route.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

inline constexpr std::size_t idempotency_key_chars_max = 255;

/// The idempotency record of the request; null if it has no key. Problem: 400 for a key that is not 1..255 visible
/// ASCII characters, or for two keys.
[[nodiscard]] Expected<actors::OptionalIdempotency> idempotency_of(const Request& request,
                                                                   const RequestContext& call, Time now);
/// The part of the record's key by which a repeated request is found.
[[nodiscard]] std::string_view fingerprint_of(const store::NewIdempotencyRecord& keep);

/// Ids for records that a request creates in several change sets, only some of which carry its Idempotency-Key. A
/// repeat with the same body gets the same ids in the same order, and so finds what was created before an
/// interruption (I4). Without a key the ids are random. One thread.
class RequestIds final : public IdSource {
 public:
  /// With a key, the ids have the timestamp of `record`, which the path names.
  RequestIds(const RequestContext& call, const Id& record);
  [[nodiscard]] Id next(Time now) override;

 private:
  std::string request_;  ///< identifies the request; empty without a key
  Time time_;
  std::uint64_t count_ = 0;
  RandomIds random_;
};

/// The author of the request, for the audit log.
[[nodiscard]] store::Author author_of(const RequestContext& call);
[[nodiscard]] actors::Origin origin_of(const RequestContext& call);
/// Adds the author to the change set that `decide` returns (I68).
[[nodiscard]] actors::Decide signed_by(const RequestContextPtr& call, actors::Decide decide);

/// Like signed_by, but also adds the call's idempotency record, if it has a key, to the same change set, even if
/// nothing else changes. `ids` is called when the decision is made.
[[nodiscard]] actors::Decide once(const RequestContextPtr& call, actors::Decide decide,
                                  std::function<AffectedIds()> ids);

}  // namespace parley::http
