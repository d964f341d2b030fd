#include "store/changelog/shared_keys.hpp"

#include "store/engine/data_directory.hpp"
#include "store/secrets/pepper.hpp"

namespace parley::store {
namespace {

constexpr const char* pepper_name = "pepper.key";
constexpr const char* secrets_name = "secrets.key";

std::string fingerprint(const Key256& key) {
  return fingerprint_of(Secrets(key));
}

Problem missing(const std::filesystem::path& file, const std::string& variable) {
  return problem(ProblemKind::store_refuses,
                 file.string() + " is missing, and " + variable +
                     " is not set. All nodes of a log need the same key: copy it from another node.");
}

Problem another(const std::filesystem::path& file, const std::string& variable, bool is_given) {
  return problem(ProblemKind::store_refuses, (is_given ? variable : file.string()) +
                                                 " is not the key of the log. All nodes of a log need the "
                                                 "same key: copy it from another node.");
}

}  // namespace

Expected<Done> make_home(const std::filesystem::path& directory) {
  TRY(made, Directory::open(directory));
  return Done{};
}

Expected<SharedKeys::Held> SharedKeys::held() const {
  Held found;
  TRY(pepper, find_pepper(directory_, given_.pepper));
  found.pepper = pepper;
  TRY(secrets, find_master_key(directory_, given_.secrets));
  found.secrets = secrets;
  return found;
}

Expected<LogKeys> SharedKeys::made() {
  TRY(keys, held());
  if (!keys.pepper) made_.push_back(file(pepper_name));
  TRY(pepper, keys.pepper ? Expected<Key256>(*keys.pepper) : read_or_make_key(file(pepper_name)));
  if (!keys.secrets) made_.push_back(file(secrets_name));
  TRY(secrets, keys.secrets ? Expected<Key256>(*keys.secrets) : read_or_make_key(file(secrets_name)));
  return LogKeys{fingerprint(pepper), fingerprint(secrets)};
}

void SharedKeys::discard_made() {
  std::error_code ignored;
  for (const std::filesystem::path& each : made_) std::filesystem::remove(each, ignored);
  made_.clear();
}

Expected<Done> SharedKeys::check(const LogKeys& expected) const {
  TRY(keys, held());
  if (!keys.pepper) return missing(file(pepper_name), "PARLEY_PEPPER_KEY");
  if (!keys.secrets) return missing(file(secrets_name), "PARLEY_SECRETS_KEY");
  if (fingerprint(*keys.pepper) != expected.pepper)
    return another(file(pepper_name), "PARLEY_PEPPER_KEY", given_.pepper.has_value());
  if (fingerprint(*keys.secrets) != expected.secrets)
    return another(file(secrets_name), "PARLEY_SECRETS_KEY", given_.secrets.has_value());
  return Done{};
}

}  // namespace parley::store
