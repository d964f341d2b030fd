#pragma once
/// How an entry of a conversation is stored: a binary header that a walk can read without parsing JSON, then
/// the exact text that answers show. Pure; any thread.
///
///   payload  = id type role flags turn origin touched measures json
///   id       = 16 bytes            type, role, flags = u8 (bit 0: registers actions, bit 1: inserted)
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
  std::uint32_t turn = 0;
  std::uint32_t origin = 0;  ///< script line that gave a tester turn; 0 for all others
  Time touched_at;           ///< creation, or the last change of its metadata
  Measures measures;         ///< of chatbot messages
  std::string_view json;  ///< exactly entry_json(...); when read, a view as long-lived as snapshot and entry
  std::shared_ptr<const std::string> mended =
      nullptr;  ///< holds `json` where what is stored had to be mended
  bool operator==(const StoredEntry&) const = default;
};

[[nodiscard]] std::string encode(const StoredEntry& entry);
/// nullopt for bytes that encode() does not make. The text is as it is stored.
[[nodiscard]] std::optional<StoredEntry> decode_entry(std::string_view payload);

}  // namespace parley::store
