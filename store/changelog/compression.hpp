#pragma once
/// Internal to store/changelog: zstd frames that include their size, at the fastest level. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>

namespace parley::store {

[[nodiscard]] std::string compressed(std::string_view bytes);
/// nullopt: not a complete frame from `compressed`, or its content exceeds `bytes_max`.
[[nodiscard]] std::optional<std::string> decompressed(std::string_view frame, std::size_t bytes_max);

}  // namespace parley::store
