#include "store/engine/value.hpp"

// Inlined, so that the small values here need no call.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "store/engine/encoding.hpp"
#include "store/engine/lmdb.hpp"

namespace parley::store {
namespace {

constexpr char format_1 = 1;
constexpr std::size_t sum_at = 1;
constexpr std::size_t revision_at = 5;

/// The low half of XXH3-64 over key and rest, so that a value under a wrong key also counts as damaged.
std::uint32_t checksum(std::string_view key, std::string_view rest) {
  const XXH64_hash_t seed = XXH3_64bits(key.data(), key.size());
  return static_cast<std::uint32_t>(XXH3_64bits_withSeed(rest.data(), rest.size(), seed));
}

template <class Number>
void append_number(std::string& out, Number number) {
  std::array<char, sizeof(Number)> bytes{};
  for (std::size_t i = sizeof(Number); i-- > 0; number = static_cast<Number>(number >> 8))
    bytes[i] = static_cast<char>(static_cast<unsigned char>(number));
  out.append(bytes.data(), bytes.size());
}

}  // namespace

Problem problem_of(const Corrupt& corrupt) {
  return problem(ProblemKind::internal,
                 "A stored value is damaged (table " + std::string(name_of(corrupt.table)) + ", key " +
                     hex(corrupt.key) + "). The operator can restore the data directory from a backup.");
}

std::string frame(std::string_view key, std::uint64_t revision, std::string_view payload) {
  std::string value;
  value.reserve(frame_bytes + payload.size());
  value += format_1;
  value.append(4, '\0');
  append_u64(value, revision);
  value += payload;
  std::string sum;
  append_u32(sum, checksum(key, std::string_view(value).substr(revision_at)));
  std::copy(sum.begin(), sum.end(), value.begin() + sum_at);
  return value;
}

std::variant<ValueView, Corrupt> unframe(TableId table, std::string_view key, std::string_view stored) {
  if (stored.size() < frame_bytes || stored.front() != format_1 ||
      u32_at(stored.substr(sum_at)) != checksum(key, stored.substr(revision_at))) {
    return Corrupt{table, std::string(key)};
  }
  return ValueView{u64_at(stored.substr(revision_at)), stored.substr(frame_bytes)};
}

void append_u32(std::string& out, std::uint32_t number) {
  append_number(out, number);
}
void append_u64(std::string& out, std::uint64_t number) {
  append_number(out, number);
}

void refuse_short_key() {
  throw LmdbError(MDB_CORRUPTED, "read a stored key");
}

Id id_at(std::string_view bytes) {
  if (bytes.size() < 16) refuse_short_key();
  Id id;
  std::transform(bytes.begin(), bytes.begin() + 16, id.bytes.begin(),
                 [](char c) { return static_cast<std::uint8_t>(c); });
  return id;
}

}  // namespace parley::store
