#pragma once
/// The files of one conversion: read from disk within limits, and never outside the folder of a PATH. One thread.

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "convert/reading/source.hpp"

namespace parley::convert {

/// Bytes of all files and inflated members together.
inline constexpr std::size_t input_bytes_max = 256UL * 1024 * 1024;

class Inputs {
 public:
  explicit Inputs(Faults& faults) : faults_(faults) {}

  /// Gives a file its content. From then on only such files exist, and the disk is not looked at: for tests.
  void give(const std::string& path, std::string bytes) { given_[path] = std::move(bytes); }
  /// A PATH of the command line as bytes; not checked for its encoding. nullopt: a fault was added.
  [[nodiscard]] std::optional<std::string> bytes_of(const std::string& path);
  /// A PATH of the command line. nullopt: a fault was added.
  [[nodiscard]] std::optional<Source> read(const std::string& path);
  /// A file that the source at `place` names, relative to the folder of `from`. It must be within `root`, symbolic links
  /// followed. nullopt: a fault was added.
  [[nodiscard]] std::optional<Source> read_beside(const Source& from, Place place, const std::string& name,
                                                  const std::filesystem::path& root);
  /// Whether the named file is there and within `root`.
  [[nodiscard]] bool has_beside(const std::string& from, const std::string& name) const;
  /// All regular files below the folder, sorted, as `FOLDER/...`. A link that leads outside the folder is a fault.
  [[nodiscard]] std::vector<std::string> files_below(const std::string& folder);
  /// Counts bytes that were inflated. False: too many, and a fault was added.
  [[nodiscard]] bool take(std::size_t bytes, const std::string& path);

 private:
  Faults& faults_;
  std::size_t bytes_ = 0;
  std::map<std::string, std::string> given_;
};

/// The name of a path without folders and without its extensions (`a/b.test.json`: `b.test`).
[[nodiscard]] std::string stem_of(const std::string& path);
/// The extension in lower case, with its dot.
[[nodiscard]] std::string extension_of(const std::string& path);
/// Whether the path has an extension of YAML.
[[nodiscard]] bool is_yaml(const std::string& path);

}  // namespace parley::convert
