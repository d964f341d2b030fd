#include "store/engine/entry_codec.hpp"

#include <bit>

#include "store/engine/value.hpp"

namespace parley::store {
namespace {

constexpr std::size_t fixed_bytes = 16 + 3 + 4 + 4 + 8 + 1;
constexpr unsigned mask_max = 15;

using Number = std::optional<double>;

std::array<const Number*, 4> numbers_of(const Measures& measures) {
  return {&measures.response_time, &measures.input_tokens, &measures.output_tokens, &measures.cost};
}
std::array<Number*, 4> numbers_of(Measures& measures) {
  return {&measures.response_time, &measures.input_tokens, &measures.output_tokens, &measures.cost};
}

void append_measures(std::string& out, const Measures& measures) {
  const std::size_t mask_at = out.size();
  out += '\0';
  unsigned mask = 0;
  unsigned bit = 1;
  for (const Number* number : numbers_of(measures)) {
    if (*number) {
      mask |= bit;
      append_u64(out, std::bit_cast<std::uint64_t>(**number));
    }
    bit <<= 1;
  }
  out[mask_at] = static_cast<char>(mask);
}

std::uint8_t byte_at(std::string_view bytes, std::size_t at) {
  return static_cast<std::uint8_t>(bytes[at]);
}

}  // namespace

std::string encode(const StoredEntry& entry) {
  std::string out;
  out.reserve(fixed_bytes + 32 + entry.json.size());
  out += entry.id.key();
  out += static_cast<char>(entry.type);
  out += static_cast<char>(entry.role);
  out += static_cast<char>((entry.registers_actions ? 1 : 0) | (entry.is_inserted ? 2 : 0) |
                           (entry.is_history ? 4 : 0));
  append_u32(out, entry.turn);
  append_u32(out, entry.origin);
  append_u64(out, static_cast<std::uint64_t>(entry.touched_at.ms));
  append_measures(out, entry.measures);
  out += entry.json;
  return out;
}

std::optional<StoredEntry> decode_entry(std::string_view payload) {
  if (payload.size() < fixed_bytes) return std::nullopt;
  const std::uint8_t type = byte_at(payload, 16);
  const std::uint8_t role = byte_at(payload, 17);
  const std::uint8_t flags = byte_at(payload, 18);
  const unsigned mask = byte_at(payload, fixed_bytes - 1);
  const auto measured = static_cast<std::size_t>(std::popcount(mask)) * 8;
  if (type >= Words<EntryType>::all.size() || role >= Words<Role>::all.size() || flags > 7 ||
      mask > mask_max || payload.size() < fixed_bytes + measured) {
    return std::nullopt;
  }
  StoredEntry entry;
  entry.id = id_at(payload);
  entry.type = static_cast<EntryType>(type);
  entry.role = static_cast<Role>(role);
  entry.registers_actions = (flags & 1) != 0;
  entry.is_inserted = (flags & 2) != 0;
  entry.is_history = (flags & 4) != 0;
  entry.turn = u32_at(payload.substr(19));
  entry.origin = u32_at(payload.substr(23));
  entry.touched_at.ms = static_cast<std::int64_t>(u64_at(payload.substr(27)));
  payload.remove_prefix(fixed_bytes);
  unsigned bit = 1;
  for (Number* number : numbers_of(entry.measures)) {
    if ((mask & bit) != 0) {
      *number = std::bit_cast<double>(u64_at(payload));
      payload.remove_prefix(8);
    }
    bit <<= 1;
  }
  entry.json = payload;
  return entry;
}

}  // namespace parley::store
