#pragma once
/// Internal to store/changelog: makes a base from the data in a directory, and replaces that data with a base.
/// Thread: one at a time for each directory.

#include <filesystem>

#include "store/changelog/log_place.hpp"
#include "store/store.hpp"

namespace parley::store {

/// A copy of the data file in a separate directory, which the destructor removes.
class BaseCopy {
 public:
  /// Copies the data file. If `place` is given, the copy has it instead of the store's own.
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

/// Replaces the data file in a directory that no process uses with the log's newest base, or, if the log has no
/// base, with an empty data file at the start of the log. The old data file is replaced as a whole. Returns the
/// position.
[[nodiscard]] Expected<LogPosition> take_base(const std::filesystem::path& directory, ChangeLog& log,
                                              const Id& log_id);

}  // namespace parley::store
