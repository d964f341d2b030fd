#pragma once
/// The first start (D81): creates an admin user and an admin key. Called by app/ before the listener opens,
/// on one thread.

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

#include "http/auth/api_key_text.hpp"
#include "store/change.hpp"
#include "store/store.hpp"

namespace parley::http {

struct Bootstrap {
  std::filesystem::path directory;       ///< the data directory
  std::optional<std::string> given_key;  ///< PARLEY_BOOTSTRAP_KEY
  Time now;
  bool permits_restart =
      false;  ///< `--new-admin-key`: create another administrator, for when all admin keys are lost
};

/// Commits one change set durably.
using Commit = std::function<Expected<Done>(store::ChangeSet)>;

/// Creates a user and a key if the store has no user yet or another administrator is wanted, and returns the key's
/// text to print. Returns nullopt on any other start. A generated text is first written to `<directory>/admin.key`
/// (0600), so that it cannot be lost before it is printed. Problem: store_refuses for a given key that is too short,
/// is not visible ASCII or was used before; or the problem from `commit`.
[[nodiscard]] Expected<std::optional<std::string>> bootstrap(const store::Store& store, const Keys& keys,
                                                             const Bootstrap& settings, IdSource& ids,
                                                             const Commit& commit);

}  // namespace parley::http
