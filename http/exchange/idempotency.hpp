#pragma once
/// The Idempotency-Key of a POST (D9): what tells one request from another, and how a decision keeps it beside its
/// effect. Pure functions; any thread.
///
///   fingerprint = SHA-256 of: user id, size of the key as one byte, key, normal path (percent.hpp) without slashes at its
///                 end

#include <functional>

#include "actors/gateway.hpp"
#include "http/exchange/request_context.hpp"
#include "http/exchange/route.hpp"
#include "http/protocol/request.hpp"

namespace parley::http {

inline constexpr std::size_t idempotency_key_chars_max = 255;

/// What the request's key is kept as; nothing without a key. Problem: 400 for a key that is not 1..255 visible ASCII
/// characters, or two of them.
[[nodiscard]] Expected<actors::OptionalIdempotency> idempotency_of(const Request& request,
                                                                   const RequestContext& call, Time now);
/// What a repeat is found by.
[[nodiscard]] std::string_view fingerprint_of(const store::NewIdempotencyRecord& keep);

/// Gives ids to what a request makes in more than one change set, so that its key stands behind only some of them: under a key a
/// repeat with the same body gets the same ids in the same order, and finds what was made before it was cut off (I4). Without a
/// key they are random. One thread.
class RequestIds final : public IdSource {
 public:
  /// Under a key the ids have the time of `record`, which the path names.
  RequestIds(const RequestContext& call, const Id& record);
  [[nodiscard]] Id next(Time now) override;

 private:
  std::string request_;  ///< what tells it from others; empty without a key
  Time time_;
  std::uint64_t count_ = 0;
  RandomIds random_;
};

/// Who asked, and what is kept of it.
[[nodiscard]] store::Author author_of(const RequestContext& call);
[[nodiscard]] actors::Origin origin_of(const RequestContext& call);
/// `decide` with its author named (I68).
[[nodiscard]] actors::Decide signed_by(const RequestContextPtr& call, actors::Decide decide);

/// As signed_by, and `decide` with the key of the call, if it has one, kept in the same change set, also where nothing else changes.
/// `ids` is asked when the decision is made.
[[nodiscard]] actors::Decide once(const RequestContextPtr& call, actors::Decide decide,
                                  std::function<AffectedIds()> ids);

}  // namespace parley::http
