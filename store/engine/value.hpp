#pragma once
/// The frame around every stored value, which detects damage (I13). Pure; any thread.
///
///   value   = format sum revision payload
///   format  = %x01
///   sum     = low half of XXH3-64, u32 big-endian, over key, revision and payload
///   revision = u64 big-endian: the revision of a stamped record, else a count of its writes or 0
///
/// The sum includes the key, so that a value found under a wrong key does not verify either.

#include <endian.h>

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <variant>

#include "model/problem.hpp"
#include "store/tables.hpp"

namespace parley::store {

inline constexpr std::size_t frame_bytes = 13;

/// A value that failed verification.
struct Corrupt {
  TableId table;
  std::string key;
  bool operator==(const Corrupt&) const = default;
};

/// A 500 problem for the record. It names the table and the key in hex, and says what the operator can do.
[[nodiscard]] Problem problem_of(const Corrupt& corrupt);

/// A verified value: a view into the data file, valid as long as its snapshot.
struct ValueView {
  std::uint64_t revision = 0;
  std::string_view payload;
};

[[nodiscard]] std::string frame(std::string_view key, std::uint64_t revision, std::string_view payload);
[[nodiscard]] std::variant<ValueView, Corrupt> unframe(TableId table, std::string_view key,
                                                       std::string_view stored);

/// Big-endian numbers, as in keys and headers.
void append_u32(std::string& out, std::uint32_t number);
void append_u64(std::string& out, std::uint64_t number);

/// Throws LmdbError (MDB_CORRUPTED): a damaged page can shorten keys.
[[noreturn]] void refuse_short_key();

/// These need at least 4 (8, 16) bytes and call refuse_short_key() if there are fewer. The numbers are inline because
/// one GET reads hundreds of them.
[[nodiscard]] inline std::uint32_t u32_at(std::string_view bytes) {
  std::uint32_t big_endian = 0;
  if (bytes.size() < sizeof big_endian) refuse_short_key();
  std::memcpy(&big_endian, bytes.data(), sizeof big_endian);
  return be32toh(big_endian);
}
[[nodiscard]] inline std::uint64_t u64_at(std::string_view bytes) {
  std::uint64_t big_endian = 0;
  if (bytes.size() < sizeof big_endian) refuse_short_key();
  std::memcpy(&big_endian, bytes.data(), sizeof big_endian);
  return be64toh(big_endian);
}
[[nodiscard]] Id id_at(std::string_view bytes);

}  // namespace parley::store
