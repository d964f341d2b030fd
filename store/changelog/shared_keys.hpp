#pragma once
/// Internal to store/changelog: the pepper and the master key of a node, which all nodes of a log must share.
/// The log stores their fingerprints. Thread: the starting thread.

#include <filesystem>
#include <vector>

#include "store/changelog/log_join.hpp"

namespace parley::store {

/// Creates the directory if it is missing, private to the server's user.
[[nodiscard]] Expected<Done> make_home(const std::filesystem::path& directory);

class SharedKeys {
 public:
  SharedKeys(std::filesystem::path directory, GivenKeys given)
      : directory_(std::move(directory)), given_(std::move(given)) {}

  /// For the node that creates a log: creates missing keys and returns the fingerprints.
  [[nodiscard]] Expected<LogKeys> made();
  /// Removes the files that made() wrote, because another node created the log.
  void discard_made();
  /// Problem: store_refuses if a key is missing or differs from the log's.
  [[nodiscard]] Expected<Done> check(const LogKeys& expected) const;

 private:
  struct Held {
    std::optional<Key256> pepper;
    std::optional<Key256> secrets;
  };
  [[nodiscard]] Expected<Held> held() const;
  [[nodiscard]] std::filesystem::path file(const char* name) const { return directory_ / name; }

  std::filesystem::path directory_;
  GivenKeys given_;
  std::vector<std::filesystem::path> made_;
};

}  // namespace parley::store
