#pragma once
/// A folder that is removed at the end, with its content. Main thread.

#include <stdlib.h>

#include <filesystem>
#include <string>

namespace parley::client {

class TemporaryFolder {
 public:
  /// `name` is the prefix of the folder's name. The path is empty if the folder cannot be created.
  explicit TemporaryFolder(const std::string& name) {
    std::error_code failed;
    std::string path = (std::filesystem::temp_directory_path(failed) / (name + "-XXXXXX")).string();
    if (!failed && ::mkdtemp(path.data()) != nullptr) path_ = path;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace parley::client
