#pragma once
/// Writes files that only their owner may read, such as keys and server addresses. Each file is written to a
/// temporary name and then renamed.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/expected.hpp"

namespace parley::client {

/// Writes the file with mode 0600 and replaces an existing file atomically. Problem: the file system refuses.
[[nodiscard]] Expected<Done> write_private(const std::filesystem::path& file, std::string_view text);
/// Replaces a file atomically, with mode 0666 less the umask. Creates missing folders. Problem: the file system
/// refuses.
[[nodiscard]] Expected<Done> write_whole(const std::filesystem::path& file, std::string_view text);
/// Creates a folder with mode 0700, and its parents. Problem: the file system refuses.
[[nodiscard]] Expected<Done> create_private_folder(const std::filesystem::path& folder);
/// Returns the content; nullopt if the file cannot be read or is larger than `bytes_max`.
[[nodiscard]] std::optional<std::string> content_of(const std::filesystem::path& file,
                                                    std::size_t bytes_max = std::size_t{1} << 20);

}  // namespace parley::client
