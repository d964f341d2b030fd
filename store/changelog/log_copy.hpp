#pragma once
/// Internal to store/changelog: the copy of the data in a directory: makes a base of it, and replaces it by a base.
/// Thread: one at a time for each directory.

#include <filesystem>

#include "store/changelog/log_place.hpp"
#include "store/store.hpp"

namespace parley::store {

/// A copy of the data file in a directory of its own, removed at the end.
class BaseCopy {
 public:
  /// With `place` instead of the store's own, if given.
  [[nodiscard]] static Expected<BaseCopy> of(const Store& store, const std::filesystem::path& directory,
                                             const std::optional<LogPlace>& place);
  BaseCopy(BaseCopy&& other) noexcept;
  BaseCopy& operator=(BaseCopy&&) = delete;
  ~BaseCopy();
  [[nodiscard]] std::filesystem::path file() const { return home_ / "data.mdb"; }
  [[nodiscard]] const LogPosition& at() const { return at_; }

 private:
  explicit BaseCopy(std::filesystem::path home) : home_(std::move(home)) {}
  std::filesystem::path home_;
  LogPosition at_;
};

[[nodiscard]] bool has_data(const std::filesystem::path& directory);

/// Puts the log's newest base into the directory, which no process uses, or an empty data file at the start of the log if it has no
/// base. The old data file is replaced as a whole. Returns the position.
[[nodiscard]] Expected<LogPosition> take_base(const std::filesystem::path& directory, ChangeLog& log,
                                              const Id& log_id);

}  // namespace parley::store
