#pragma once
/// Files that only the server's user may read: keys of 256 bits, made once and durable before they are used. Touched at start
/// and by the tools of the command line; any thread, one at a time for one file.
///
///   keyfile = 64 HEXDIG LF                               ; mode 0600

#include <array>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "model/expected.hpp"

namespace parley::store {

using Key256 = std::array<std::uint8_t, 32>;

/// 64 lower-case hex digits; nothing for any other text.
[[nodiscard]] std::optional<Key256> key_from_hex(std::string_view text);
/// The key in `file`; nullopt where there is none. Problem: as read_or_make_key.
[[nodiscard]] Expected<std::optional<Key256>> read_key(const std::filesystem::path& file);
/// The key in `file`; a new random one where there is no file yet (durable before it is used).
/// Problem: `store_refuses` for the operator: unreadable, malformed, or readable by others.
[[nodiscard]] Expected<Key256> read_or_make_key(const std::filesystem::path& file);
/// Writes a new file with mode 0600, durable with its directory; one that is there is replaced as a whole.
[[nodiscard]] Expected<Done> write_private_file(const std::filesystem::path& file, std::string_view text);

}  // namespace parley::store
