#pragma once
/// Files that only their owner may read: keys and addresses of servers. Written as a whole: to a temporary name, then renamed.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/expected.hpp"

namespace parley::client {

/// Writes the file with mode 0600; an older one is replaced in one step. Problem: the file system refuses.
[[nodiscard]] Expected<Done> write_private(const std::filesystem::path& file, std::string_view text);
/// Replaces a file in one step; mode 0644 less the umask. Problem: the file system refuses.
[[nodiscard]] Expected<Done> write_whole(const std::filesystem::path& file, std::string_view text);
/// Creates a folder (0700) and its parents. Problem: the file system refuses.
[[nodiscard]] Expected<Done> create_private_folder(const std::filesystem::path& folder);
/// The content; nullopt if it cannot be read or has more than `bytes_max`.
[[nodiscard]] std::optional<std::string> content_of(const std::filesystem::path& file,
                                                    std::size_t bytes_max = std::size_t{1} << 20);

}  // namespace parley::client
