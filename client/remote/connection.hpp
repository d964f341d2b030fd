#pragma once
/// Decides which server a command uses, and records why. A flag takes precedence over the environment. Without
/// either, ServerPreference selects the project's local data or the profile of the last login. Pure except for
/// reading the two files.

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "client/remote/credentials.hpp"
#include "client/remote/http_client.hpp"
#include "model/expected.hpp"

namespace parley::client {

/// The connection flags that every verb accepts.
struct ConnectionFlags {
  std::string server;             ///< --server
  std::string profile;            ///< --profile
  std::filesystem::path project;  ///< --project; empty: search the working directory and its parents
};

/// Which server a verb uses if neither a flag nor a variable names one.
enum class ServerPreference : std::uint8_t {
  local,       ///< run, watch, chat, view, demo
  last_login,  ///< the profile of the last login, or the project's local data if there was no login
};

struct Connection {
  bool is_local = true;
  ServerAddress server;                  ///< set for a remote server
  std::filesystem::path project_folder;  ///< the folder that contains, or would contain, `.parley/`
  std::string url_origin;                ///< "--server", "PARLEY_URL", "profile default", "project"
  std::string key_origin;
};

/// Returns the value of an environment variable; nullopt if it is not set.
[[nodiscard]] std::optional<std::string> variable(const char* const* environment, std::string_view name);

/// Problem `unauthorized`: no key is known for the server. Problem `invalid_parameter`: the profile is unknown, or
/// the URL is malformed.
[[nodiscard]] Expected<Connection> connection_of(const ConnectionFlags& flags, ServerPreference preference,
                                                 const char* const* environment);

/// Describes what is wrong with the URL of a server; empty if it is valid.
[[nodiscard]] std::string fault_of_server_url(const std::string& url);

}  // namespace parley::client
