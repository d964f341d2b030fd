#pragma once
/// The first start (D81): an admin user and an admin key. Called by app/ before the listener opens, on one
/// thread.

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
  bool wants_another =
      false;  ///< `--new-admin-key`: an administrator more, where the keys of all others are lost
};

/// Carries out one change set durably.
using Commit = std::function<Expected<Done>(store::ChangeSet)>;

/// Makes user and key where the store has no user yet or another one is wanted, and gives the key's text to print; nullopt on
/// any other start. Without a given key the text is written to `<directory>/admin.key` (0600) first: it is never lost
/// between the two. Problem: store_refuses for a given key that is too short or not visible ASCII or was taken
/// before, or what `commit` says.
[[nodiscard]] Expected<std::optional<std::string>> bootstrap(const store::Store& store, const Keys& keys,
                                                             const Bootstrap& settings, IdSource& ids,
                                                             const Commit& commit);

}  // namespace parley::http
