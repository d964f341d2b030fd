#pragma once
/// The input files of one conversion, read within size limits and never from outside the folder of a PATH. One thread.

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/reading/source.hpp"

namespace parley::convert {

/// Maximum total bytes of all files and decompressed members.
inline constexpr std::size_t input_bytes_max = 256UL * 1024 * 1024;

class Inputs {
 public:
  explicit Inputs(Faults& faults) : faults_(faults) {}

  /// Sets the content of a file, for tests. From then on only files with set content exist, and the disk is not read.
  void give(const std::string& path, std::string bytes) { given_[path] = std::move(bytes); }
  /// The bytes of a PATH on the command line; the encoding is not checked. nullopt: a fault was added.
  [[nodiscard]] std::optional<std::string> bytes_of(const std::string& path);
  /// The text of a PATH on the command line. nullopt: a fault was added.
  [[nodiscard]] std::optional<Source> read(const std::string& path);
  /// The file that the source refers to at `place`, relative to the folder of `from`. After symbolic links are
  /// resolved, it must be within `root`. nullopt: a fault was added.
  [[nodiscard]] std::optional<Source> read_beside(const Source& from, Place place, const std::string& name,
                                                  const std::filesystem::path& root);
  /// Adds the fault that the source refers, at `place`, to a file outside the folder of its PATH.
  void refuse_outside(const Source& source, Place place, const std::string& name);
  /// Whether the named file exists within the folder of `from`.
  [[nodiscard]] bool has_beside(const std::string& from, const std::string& name) const;
  /// All regular files below the folder, sorted, as `FOLDER/...`. A link that leads outside the folder is a fault
  /// if `is_needed`, and is skipped otherwise. By default all files are needed.
  [[nodiscard]] std::vector<std::string> files_below(
      const std::string& folder, const std::function<bool(const std::string&)>& is_needed = {});
  /// Counts decompressed bytes. False: the limit was exceeded, and a fault was added.
  [[nodiscard]] bool take(std::size_t bytes, const std::string& path);

 private:
  Faults& faults_;
  std::size_t bytes_ = 0;
  std::map<std::string, std::string> given_;
};

/// The last name in a path (`a/b/`: `b`); of `.` and `..` the name of the folder.
[[nodiscard]] std::string base_name(const std::string& path);
/// The file name of a path without its extension (`a/b.test.json`: `b.test`).
[[nodiscard]] std::string stem_of(const std::string& path);
/// The extension in lowercase, including the dot.
[[nodiscard]] std::string extension_of(const std::string& path);
/// Whether the path has a YAML extension.
[[nodiscard]] bool is_yaml(const std::string& path);

}  // namespace parley::convert
