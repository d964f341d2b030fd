#include "store/changelog/log_place.hpp"

#include <algorithm>

#include "store/changelog/byte_reader.hpp"

namespace parley::store {
namespace {

Digest256 digest_at(std::string_view bytes) {
  Digest256 digest{};
  std::copy(bytes.begin(), bytes.end(), digest.begin());
  return digest;
}

constexpr std::size_t place_bytes = 16 + 8 + 32 + 32;

}  // namespace

std::string encode_place(const LogPlace& place) {
  std::string payload(place.log.key());
  append_u64(payload, place.at.seq);
  payload += bytes_of(place.at.digest);
  payload += bytes_of(place.before);
  return payload;
}

std::optional<LogPlace> decode_place(std::string_view payload) {
  if (payload.size() != place_bytes) return std::nullopt;
  LogPlace place;
  place.log = id_at(payload);
  place.at.seq = u64_at(payload.substr(16));
  place.at.digest = digest_at(payload.substr(24, 32));
  place.before = digest_at(payload.substr(56, 32));
  return place;
}

Expected<std::optional<LogPlace>> log_place(const Snapshot& snapshot) {
  TRY(stored, snapshot.value(TableId::meta, log_place_key));
  if (!stored) return std::optional<LogPlace>{};
  const auto place = decode_place(stored->payload);
  if (!place) return snapshot.report(TableId::meta, log_place_key);
  return std::optional(*place);
}

}  // namespace parley::store
