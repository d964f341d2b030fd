#pragma once
/// Caches the owner of a key for half a second, so that a busy client costs one look-up per half second
/// instead of one per request. A revoked key is refused within a second. Holds digests, not keys.
///
/// Thread: any. Readers take the current map, which never changes; a writer replaces it. If two writers race, the
/// slower one loses its addition, which costs one look-up.

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string_view>

#include "http/exchange/request_context.hpp"
#include "model/time.hpp"

struct evp_md_st;  // OpenSSL's EVP_MD

namespace parley::http {

class PrincipalCache {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  PrincipalCache();

  /// SHA-256 of the credentials as sent.
  [[nodiscard]] Digest digest_of(std::string_view credentials) const;

  /// A view of the cache at one moment. A request takes it before its store snapshot. A result that was read from a
  /// snapshot older than a revocation is therefore not cached after the revocation.
  class CacheSnapshot;
  [[nodiscard]] CacheSnapshot snapshot();
  /// Called after a change of keys or users: the next request with each key reads the store.
  void forget_all() { known_.store(std::make_shared<const Map>()); }

 private:
  struct Known {
    Principal principal;
    Time since;
  };
  using Map = std::map<Digest, Known>;

  std::shared_ptr<evp_md_st> sha256_;  ///< fetched once, because fetching it costs more than hashing a key
  std::atomic<std::shared_ptr<const Map>> known_{std::make_shared<const Map>()};
};

class PrincipalCache::CacheSnapshot {
 public:
  [[nodiscard]] Digest digest_of(std::string_view credentials) const { return cache_.digest_of(credentials); }
  /// The cached principal, if it was looked up less than half a second before `now`.
  [[nodiscard]] std::optional<Principal> find(const Digest& digest, Time now) const;
  void remember(const Digest& digest, const Principal& principal, Time now);

 private:
  friend class PrincipalCache;
  CacheSnapshot(PrincipalCache& cache, std::shared_ptr<const Map> seen)
      : cache_(cache), seen_(std::move(seen)) {}

  PrincipalCache& cache_;
  std::shared_ptr<const Map> seen_;
};

}  // namespace parley::http
