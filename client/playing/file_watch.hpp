#pragma once
/// Detects file changes with inotify on the folders. A watch on the file itself would end with the first save,
/// because editors replace files. Main thread.

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace parley::client {

class FileWatch {
 public:
  FileWatch();
  FileWatch(const FileWatch&) = delete;
  FileWatch& operator=(const FileWatch&) = delete;
  ~FileWatch();

  /// Becomes readable when a file changes. -1: the system has no inotify instances left.
  [[nodiscard]] int descriptor() const { return descriptor_; }
  /// Watches these files, and the existing and future matches of the globs. Globs are absolute, and `*` also matches
  /// across folders.
  void watch(const std::vector<std::filesystem::path>& files, const std::vector<std::string>& globs);
  /// Returns the watched files that changed since the last call. Does not block.
  [[nodiscard]] std::set<std::filesystem::path> changed();
  [[nodiscard]] std::size_t files() const { return files_.size(); }

 private:
  void add_folder(const std::filesystem::path& folder);
  void add_tree(const std::filesystem::path& folder);
  [[nodiscard]] bool is_watched(const std::filesystem::path& file) const;

  int descriptor_;
  std::set<std::filesystem::path> files_;
  std::vector<std::string> globs_;
  std::map<int, std::filesystem::path> folders_;  ///< by watch descriptor
};

}  // namespace parley::client
