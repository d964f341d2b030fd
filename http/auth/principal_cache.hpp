#pragma once
/// Remembers for half a second whom a key belongs to, so that a busy client costs one look-up of its key a moment and
/// not one a request; a revoked key is refused within the second that reliability 5.2 allows. Holds digests, no keys.
///
/// Thread: any, without locks: readers take the current map, which never changes; a writer puts a new one in its place, and
/// what it adds is forgotten where the map has changed meanwhile, which costs a look-up.

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

  /// What the cache knew at one moment. A request takes it before its snapshot: what it reads in a snapshot that is older
  /// than a revocation is then not remembered behind it.
  class CacheSnapshot;
  [[nodiscard]] CacheSnapshot glance();
  /// After a change of keys or users: the next request of each key looks again.
  void forget_all() { known_.store(std::make_shared<const Map>()); }

 private:
  struct Known {
    Principal principal;
    Time since;
  };
  using Map = std::map<Digest, Known>;

  std::shared_ptr<evp_md_st> sha256_;  ///< fetched once: a search for it costs more than the digest of a key
  std::atomic<std::shared_ptr<const Map>> known_{std::make_shared<const Map>()};
};

class PrincipalCache::CacheSnapshot {
 public:
  [[nodiscard]] Digest digest_of(std::string_view credentials) const { return cache_.digest_of(credentials); }
  /// Whose key it is, when that was found out less than half a second before `now`.
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
