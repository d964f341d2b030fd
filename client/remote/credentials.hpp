#pragma once
/// The keys that `parley login` stores in `$XDG_CONFIG_HOME/parley/credentials`, or else in
/// `~/.config/parley/credentials`. The file has mode 0600 and is replaced atomically.
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

/// Returns an empty path if there is no home directory.
[[nodiscard]] std::filesystem::path credentials_file(const char* const* environment);
/// Returns no profiles if the file does not exist. Problem: the file is damaged.
[[nodiscard]] Expected<Credentials> read_credentials(const std::filesystem::path& file);
[[nodiscard]] Expected<Done> write_credentials(const std::filesystem::path& file,
                                               const Credentials& credentials);

}  // namespace parley::client
