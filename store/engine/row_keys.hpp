#pragma once
/// Internal to store/: keys that consist of more than one id (see the schema in tables.hpp). Pure; any thread.

#include "model/check.hpp"
#include "store/engine/value.hpp"

namespace parley::store {

inline constexpr std::size_t id_bytes = 16;
inline constexpr std::size_t entry_key_bytes = id_bytes + 4;

[[nodiscard]] inline std::string entry_key(const Id& result, std::uint32_t ordinal) {
  std::string key(result.key());
  append_u32(key, ordinal);
  return key;
}

/// The key in later_verdicts.
[[nodiscard]] inline std::string verdict_key(const Id& result, std::int64_t version) {
  return entry_key(result, static_cast<std::uint32_t>(version));
}

[[nodiscard]] inline std::string case_key(const Id& run, const Id& test) {
  std::string key(run.key());
  key += test.key();
  return key;
}

/// False for names that no change set can have written. Clients may query any name.
[[nodiscard]] inline bool may_be_name(std::string_view name) {
  return !name.empty() && name.size() <= name_bytes_max;
}

[[nodiscard]] inline std::string unique_key(Namespace space, std::string_view name) {
  CHECK(may_be_name(name));
  std::string key(1, static_cast<char>(space));
  key += name;
  return key;
}

/// The key of the schema version in `meta`.
inline constexpr std::string_view schema_key = "schema";

}  // namespace parley::store
