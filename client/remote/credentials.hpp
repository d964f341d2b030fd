#pragma once
/// The keys that `parley login` stores: `$XDG_CONFIG_HOME/parley/credentials`, else `~/.config/parley/credentials`, mode
/// 0600, replaced in one step.
///
///   {"last": "default", "profiles": {"default": {"url": "https://parley.example.com", "key": "..."}}}

#include <filesystem>
#include <map>
#include <string>

#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

struct Credentials {
  std::string last;  ///< the profile of the last login; empty: none
  std::map<std::string, ServerAddress> profiles;
};

/// Empty without a home directory.
[[nodiscard]] std::filesystem::path credentials_file(const char* const* environment);
/// No file: no profiles. Problem: the file is damaged.
[[nodiscard]] Expected<Credentials> read_credentials(const std::filesystem::path& file);
[[nodiscard]] Expected<Done> write_credentials(const std::filesystem::path& file,
                                               const Credentials& credentials);

}  // namespace parley::client
