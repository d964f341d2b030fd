#pragma once
/// The stored form of a conversation entry: a binary header, which can be read without parsing JSON, followed
/// by the exact text that responses contain. Pure; any thread.
///
///   payload  = id type role flags turn origin touched measures json
///   id       = 16 bytes            type, role, flags = u8 (bit 0: registers actions, bit 1: inserted,
///                                 bit 2: history)
///   turn, origin = u32             touched = i64, ms
///   measures = mask u8, then a double (u64) for each bit: responseTime, inputTokens, outputTokens, cost

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/records/entry.hpp"

namespace parley::store {

struct StoredEntry {
  Id id;
  EntryType type = EntryType::message;
  Role role = Role::chatbot;
  bool registers_actions = false;
  bool is_inserted = false;  ///< placed with after/before, not appended
  bool is_history = false;   ///< recorded before the first turn (D108)
  std::uint32_t turn = 0;
  std::uint32_t origin = 0;  ///< script line of a tester turn; 0 for all other entries
  Time touched_at;           ///< time of creation or of the last metadata change
  Measures measures;         ///< for chatbot messages
  /// exactly entry_json(...); after a read, a view that lives as long as snapshot and entry
  std::string_view json;
  std::shared_ptr<const std::string> mended = nullptr;  ///< owns `json` if the stored text was repaired
  bool operator==(const StoredEntry&) const = default;
};

[[nodiscard]] std::string encode(const StoredEntry& entry);
/// nullopt for bytes that encode() does not produce. Returns the text as stored.
[[nodiscard]] std::optional<StoredEntry> decode_entry(std::string_view payload);

}  // namespace parley::store
