#include "http/auth/principal_cache.hpp"

#include <openssl/evp.h>

#include "model/check.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t fresh_ms = 500;
/// When the map exceeds this number of keys, it restarts empty.
constexpr std::size_t keys_max = 1'000;

}  // namespace

PrincipalCache::PrincipalCache() : sha256_(EVP_MD_fetch(nullptr, "SHA256", nullptr), &EVP_MD_free) {
  CHECK(sha256_ != nullptr);
}

PrincipalCache::Digest PrincipalCache::digest_of(std::string_view credentials) const {
  Digest digest{};
  unsigned int size = 0;
  CHECK(EVP_Digest(credentials.data(), credentials.size(), digest.data(), &size, sha256_.get(), nullptr) ==
        1);
  return digest;
}

PrincipalCache::CacheSnapshot PrincipalCache::snapshot() {
  return {*this, known_.load()};
}

std::optional<Principal> PrincipalCache::CacheSnapshot::find(const Digest& digest, Time now) const {
  const auto known = seen_->find(digest);
  if (known == seen_->end()) return std::nullopt;
  const std::int64_t age_ms = now.ms - known->second.since.ms;
  // If the clock is set back, an entry must not live longer.
  if (age_ms < 0 || age_ms > fresh_ms) return std::nullopt;
  return known->second.principal;
}

void PrincipalCache::CacheSnapshot::remember(const Digest& digest, const Principal& principal, Time now) {
  auto next = seen_->size() < keys_max ? std::make_shared<Map>(*seen_) : std::make_shared<Map>();
  (*next)[digest] = {principal, now};
  std::shared_ptr<const Map> expected = seen_;
  cache_.known_.compare_exchange_strong(expected, std::move(next));
}

}  // namespace parley::http
