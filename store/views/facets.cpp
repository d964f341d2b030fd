#include "store/views/facets.hpp"

#include <algorithm>

namespace parley::store {
namespace {

/// FNV-1a, to distribute words. A collision gives an attacker nothing: it would only merge two filters.
std::uint64_t hash_of(std::string_view word, std::uint64_t seed) {
  std::uint64_t hash = seed;
  for (const char c : word) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

void append_bytes(std::string& out, const FacetValue& value) {
  out.append(reinterpret_cast<const char*>(value.data()), value.size());
}

}  // namespace

FacetValue value_of(bool flag) {
  FacetValue value{};
  value.back() = flag ? 1 : 0;
  return value;
}

FacetValue value_of(std::string_view word) {
  FacetValue value{};
  if (word.size() < value.size()) {
    std::transform(word.begin(), word.end(), value.begin(),
                   [](char c) { return static_cast<std::uint8_t>(c); });
    return value;
  }
  std::uint64_t low = hash_of(word, 0xcbf29ce484222325ULL);
  std::uint64_t high = hash_of(word, low);
  for (std::size_t i = 0; i < 8; ++i, low >>= 8, high >>= 8) {
    value[i] = static_cast<std::uint8_t>(low & 0xff);
    value[i + 8] = static_cast<std::uint8_t>(high & 0xff);
  }
  return value;
}

std::string slice_key(const Slice& slice) {
  std::string key;
  key.reserve(index_key_bytes);
  key += static_cast<char>(slice.kind);
  key += static_cast<char>(slice.facet);
  append_bytes(key, slice.value);
  key += static_cast<char>(slice.shelf);
  return key;
}

std::string index_key(const Slice& slice, const Id& id) {
  std::string key = slice_key(slice);
  key += id.key();
  return key;
}

}  // namespace parley::store
