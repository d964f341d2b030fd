#pragma once
/// Internal to store/: the data directory itself, locked for this process as long as the object lives (I14).
/// Thread: made and destroyed on one; the rest is constant.

#include <sys/statvfs.h>

#include <filesystem>
#include <string_view>

#include "model/expected.hpp"

namespace parley::store {

class Directory {
 public:
  /// Makes the directory (0700) where it is missing and locks it. Problem: store_refuses, with nothing
  /// touched when another process holds it.
  [[nodiscard]] static Expected<Directory> open(const std::filesystem::path& path);
  ~Directory();
  Directory(Directory&& other) noexcept;
  Directory& operator=(Directory&&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// What the file system says of itself, also where somebody has moved the directory away.
  [[nodiscard]] bool stat_file_system(struct statvfs& status) const;
  /// True once a store was made here: a missing or empty data file is then a loss, not a beginning.
  [[nodiscard]] bool is_settled() const;
  /// True when a store was begun here and never settled. Nobody was told of anything in it, and a power cut may have
  /// left any part of its data file.
  [[nodiscard]] bool is_begun() const;
  /// Remembers, on disk, that the data file which is made next is ours.
  [[nodiscard]] Expected<Done> begin() const;
  /// Remembers that a store was made here. Order: the names of the files are on disk before the mark is.
  [[nodiscard]] Expected<Done> settle() const;

 private:
  Directory(std::filesystem::path path, int lock) : path_(std::move(path)), lock_(lock) {}
  [[nodiscard]] bool has_mark(std::string_view mark) const;
  [[nodiscard]] Expected<Done> put_mark(std::string_view mark) const;

  std::filesystem::path path_;
  int lock_;
};

/// `store_refuses` with what was tried, where, and the system's word for `code`.
[[nodiscard]] Problem cannot(std::string_view doing, const std::filesystem::path& path, std::string_view why);

}  // namespace parley::store
