#include "client/remote/connection.hpp"

#include "client/remote/project_folder.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

fs::path project_of(const ConnectionFlags& flags) {
  if (!flags.project.empty()) return flags.project;
  std::error_code failed;
  const fs::path here = fs::current_path(failed);
  // The working directory may have been deleted. Paths in "." then fail with a message of their own.
  return failed ? fs::path(".") : project_above(here).value_or(here);
}

/// Finds the profile for this server, and returns its name and key.
std::optional<std::pair<std::string, std::string>> key_for(const Credentials& credentials,
                                                           const std::string& url) {
  for (const auto& [name, server] : credentials.profiles)
    if (server.url == url) return std::pair(name, server.key);
  return std::nullopt;
}

Expected<Connection> with_profile(Connection connection, const Credentials& credentials,
                                  const std::string& name) {
  const auto found = credentials.profiles.find(name);
  if (found == credentials.profiles.end())
    return problem(ProblemKind::invalid_parameter,
                   "there is no profile \"" + name + "\": run `parley login URL --profile " + name + "`");
  connection.is_local = false;
  connection.server = found->second;
  connection.url_origin = connection.key_origin = "profile " + name;
  return connection;
}

Expected<Connection> with_url(Connection connection, const Credentials& credentials, std::string url,
                              const char* const* environment) {
  while (url.ends_with('/')) url.pop_back();
  if (std::string fault = fault_of_server_url(url); !fault.empty())
    return problem(ProblemKind::invalid_parameter, connection.url_origin + ": " + fault);
  connection.is_local = false;
  connection.server.url = url;
  if (const auto key = variable(environment, "PARLEY_KEY"); key && !key->empty()) {
    connection.server.key = *key;
    connection.key_origin = "PARLEY_KEY";
  } else if (const auto kept = key_for(credentials, url)) {
    connection.server.key = kept->second;
    connection.key_origin = "profile " + kept->first;
  } else {
    return problem(ProblemKind::unauthorized,
                   "there is no key for " + url + ": set PARLEY_KEY, or run `parley login " + url + "`");
  }
  return connection;
}

}  // namespace

std::optional<std::string> variable(const char* const* environment, std::string_view name) {
  for (const char* const* each = environment; each != nullptr && *each != nullptr; ++each) {
    const std::string_view line(*each);
    if (line.size() > name.size() && line[name.size()] == '=' && line.starts_with(name))
      return std::string(line.substr(name.size() + 1));
  }
  return std::nullopt;
}

std::string fault_of_server_url(const std::string& url) {
  const std::size_t scheme = url.starts_with("https://") ? 8 : url.starts_with("http://") ? 7 : 0;
  if (scheme == 0 || url.size() == scheme || url.find_first_of(" \t\r\n?#@") != std::string::npos)
    return "\"" + url + "\" is not the URL of a server, such as https://parley.example.com";
  return {};
}

Expected<Connection> connection_of(const ConnectionFlags& flags, ServerPreference preference,
                                   const char* const* environment) {
  auto stored = read_credentials(credentials_file(environment));
  const auto url_of_environment = variable(environment, "PARLEY_URL");
  const bool is_local = flags.server.empty() && flags.profile.empty() &&
                        (!url_of_environment || url_of_environment->empty()) &&
                        (preference == ServerPreference::local || !flags.project.empty());
  // A damaged file concerns only commands that may need it.
  if (!stored && !is_local) return std::move(stored).problem();
  const Credentials credentials = stored ? std::move(stored).value() : Credentials{};
  Connection connection;
  connection.project_folder = project_of(flags);
  if (!flags.server.empty()) {
    connection.url_origin = "--server";
    return with_url(std::move(connection), credentials, flags.server, environment);
  }
  if (!flags.profile.empty()) return with_profile(std::move(connection), credentials, flags.profile);
  if (const auto url = variable(environment, "PARLEY_URL"); url && !url->empty()) {
    connection.url_origin = "PARLEY_URL";
    return with_url(std::move(connection), credentials, *url, environment);
  }
  if (preference == ServerPreference::last_login && !credentials.last.empty() && flags.project.empty())
    return with_profile(std::move(connection), credentials, credentials.last);
  connection.url_origin = connection.key_origin = "project";
  return connection;
}

}  // namespace parley::client
