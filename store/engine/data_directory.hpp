#pragma once
/// Internal to store/: the data directory, locked for this process as long as the object lives (I14).
/// Thread: created and destroyed on one; otherwise constant.

#include <sys/statvfs.h>

#include <filesystem>
#include <string_view>

#include "model/expected.hpp"

namespace parley::store {

class Directory {
 public:
  /// Creates the directory (0700) if it is missing, and locks it. Problem: store_refuses. Nothing was changed
  /// if another process holds the lock.
  [[nodiscard]] static Expected<Directory> open(const std::filesystem::path& path);
  ~Directory();
  Directory(Directory&& other) noexcept;
  Directory& operator=(Directory&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// The status of the file system, even after the directory was moved away.
  [[nodiscard]] bool stat_file_system(struct statvfs& status) const;
  /// True once a store was created here. A missing or empty data file is then a loss, not a first start.
  [[nodiscard]] bool is_settled() const;
  /// True if the creation of a store started here and did not finish. No client has seen its content, and a
  /// power loss may have left any part of its data file.
  [[nodiscard]] bool has_started() const;
  /// Records durably that parley creates the next data file.
  [[nodiscard]] Expected<Done> begin() const;
  /// Records that a store was created here. Order: the file names are on disk before the mark.
  [[nodiscard]] Expected<Done> settle() const;

 private:
  Directory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  [[nodiscard]] bool has_mark(std::string_view mark) const;
  [[nodiscard]] Expected<Done> put_mark(std::string_view mark) const;

  std::filesystem::path path_;
  int lock_;
};

/// `store_refuses` with the failed action, the path, and the system's message `why`.
[[nodiscard]] Problem cannot(std::string_view doing, const std::filesystem::path& path, std::string_view why);
/// `internal`: LMDB cannot read the file, for the reason `why`.
[[nodiscard]] Problem damaged_file(const std::filesystem::path& path, std::string_view why);
/// Makes a file, or the names in a directory, durable.
[[nodiscard]] Expected<Done> sync_path(const std::filesystem::path& path);

}  // namespace parley::store
