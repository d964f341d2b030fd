#pragma once
/// Which server a command uses, and why: a flag takes precedence over the environment. Without both, ServerPreference says
/// whether the project's local data or the profile of the last login is used. Pure except for reading the two files.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "client/remote/credentials.hpp"
#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// The flags that every verb has.
struct ConnectionFlags {
  std::string server;             ///< --server
  std::string profile;            ///< --profile
  std::filesystem::path project;  ///< --project; empty: the working directory and its parents
};

/// Which server a verb uses if no flag and no variable names one.
enum class ServerPreference : std::uint8_t {
  local,       ///< run, watch, chat, view, demo
  last_login,  ///< the profile of the last login, else the project's local data
};

struct Connection {
  bool is_local = true;
  ServerAddress server;                  ///< of a remote server
  std::filesystem::path project_folder;  ///< where `.parley/` is, or would be
  std::string url_origin;                ///< "--server", "PARLEY_URL", "profile default", "project"
  std::string key_origin;
};

/// The value of an environment variable; nullopt if it is not set.
[[nodiscard]] std::optional<std::string> variable(const char* const* environment, std::string_view name);

/// Problem `unauthorized`: a server is named, but no key for it. Problem `invalid_parameter`: an unknown profile or a
/// URL that is not one.
[[nodiscard]] Expected<Connection> connection_of(const ConnectionFlags& flags, ServerPreference preference,
                                                 const char* const* environment);

/// The error of a server's URL; empty: none.
[[nodiscard]] std::string fault_of_server_url(const std::string& url);

}  // namespace parley::client
