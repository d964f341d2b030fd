#include "client/remote/credentials.hpp"

#include "client/remote/api.hpp"
#include "client/remote/connection.hpp"
#include "client/remote/private_file.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

namespace fs = std::filesystem;

fs::path credentials_file(const char* const* environment) {
  if (const auto config = variable(environment, "XDG_CONFIG_HOME"); config && !config->empty())
    return fs::path(*config) / "parley" / "credentials";
  if (const auto home = variable(environment, "HOME"); home && !home->empty())
    return fs::path(*home) / ".config" / "parley" / "credentials";
  return {};
}

Expected<Credentials> read_credentials(const fs::path& file) {
  Credentials credentials;
  const auto text = file.empty() ? std::nullopt : content_of(file);
  if (!text) return credentials;
  const auto parsed = json::parse(*text, json::outside);
  const auto profiles = parsed ? parsed->root().find("profiles") : std::nullopt;
  if (!profiles || !profiles->is(json::Kind::object))
    return problem(ProblemKind::invalid_json, file.string() + " is damaged: remove it and log in again");
  credentials.last = text_at(parsed->root(), "last");
  for (const json::Value& each : profiles->children())
    credentials.profiles[std::string(each.key())] = {text_at(each, "url"), text_at(each, "key")};
  return credentials;
}

Expected<Done> write_credentials(const fs::path& file, const Credentials& credentials) {
  if (file.empty())
    return problem(ProblemKind::invalid_parameter, "HOME is not set: there is no place for the credentials");
  TRY_DONE(create_private_folder(file.parent_path()));
  json::Writer out;
  out.begin_object().member("last", credentials.last).key("profiles").begin_object();
  for (const auto& [name, server] : credentials.profiles)
    out.key(name).begin_object().member("url", server.url).member("key", server.key).end_object();
  out.end_object().end_object();
  return write_private(file, std::move(out).text() + "\n");
}

}  // namespace parley::client
