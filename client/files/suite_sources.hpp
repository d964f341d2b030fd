#pragma once
/// The files of a suite: reads them within the project folder, fills in `${NAME}`, and provides views of their
/// values. One thread.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/source/source_tree.hpp"

namespace parley::client {

/// The largest size of a suite file, and of each file that it names.
inline constexpr std::size_t suite_bytes_max = 8 * 1024 * 1024;

/// A value of a suite file, with its file. Absent if `node` is null.
struct View {
  const source::Node* node = nullptr;
  source::SourceFilePtr file;

  [[nodiscard]] explicit operator bool() const { return node != nullptr; }
  /// Returns the value of the member; absent if the member is missing or null.
  [[nodiscard]] View at(std::string_view key) const;
  [[nodiscard]] std::vector<View> items() const;
  [[nodiscard]] source::Place place() const { return {file, node->at}; }
  /// Returns the place of the member's key, or of the mapping if it has no such member.
  [[nodiscard]] source::Place key_place(std::string_view key) const;
  /// Returns the text as written; empty if the value is not a scalar.
  [[nodiscard]] std::string text() const {
    return node != nullptr && node->is_scalar() ? node->text : std::string();
  }
  // Where a number or a flag is wanted, a quoted "${NAME}" counts as if it were not quoted, because a flow mapping
  // needs the quotes.
  [[nodiscard]] bool is_flag() const;
  [[nodiscard]] std::optional<std::int64_t> whole() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] bool flag() const;
  /// Returns the items of a list. A scalar counts as a list with one item.
  [[nodiscard]] std::vector<View> names() const;
  [[nodiscard]] std::string json() const;
};

/// Follows a JSON Pointer into `value` as far as the file has its parts, and returns the place of the last one: of the
/// scalar, or of the key if `is_of_key` or if the value is not a scalar. `last` if not even the first part is there.
[[nodiscard]] source::Place place_in(View value, std::string_view pointer, source::Place last,
                                     bool is_of_key = false);

/// A text and its place: in the suite, or in the file that `file:` names.
struct PlacedText {
  std::string text;
  source::SourceFilePtr content;  ///< the file that `file:` names; null: the text is in the scalar
  View view;
  /// Returns the place of a line of the text (from 1), beginning at `column`; the whole value if the line is unknown.
  [[nodiscard]] source::Place place_of_line(std::uint32_t line, std::size_t column) const;
  /// Returns the scalar that names the file, for a fault in that file.
  [[nodiscard]] std::vector<source::Place> from() const;
};

class SuiteSources {
 public:
  SuiteSources(std::filesystem::path folder, std::map<std::string, std::string> environment);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Reads a suite file and fills in its variables. Absent, with faults, if the file cannot be read.
  View read_suite(const std::filesystem::path& path, const source::Place& named_at);
  /// Reads a file in the project folder. Null, with a fault at `named_at`, if the file cannot be read.
  source::SourceFilePtr read_file(const std::filesystem::path& path, const source::Place& named_at);
  /// Returns the text of the value, or the content of the file if the value is `file:PATH`.
  PlacedText text_of(const View& value);
  /// Returns the sorted paths that match the glob, which is relative to the folder of its file. Faults: no file
  /// matches, or a file is outside the project folder.
  std::vector<std::filesystem::path> matching(const View& glob);
  /// Returns the path if it is in the project folder, whether the file exists or not. `path` is relative to the
  /// folder of the file that names it. Fault: the path is outside.
  std::optional<std::filesystem::path> inside(const std::string& path, const View& named_by);
  /// Whether the value had a `${...}`.
  [[nodiscard]] bool has_variable(const View& value) const { return with_variables_.contains(value.node); }
  /// Whether the value was written as `file:PATH`. False if a variable produced the `file:`.
  [[nodiscard]] bool is_file_reference(const View& value) const {
    return value.text().starts_with("file:") && !made_by_variable_.contains(value.node);
  }

  void error(std::string code, std::string message, source::Place at);
  void warning(std::string code, std::string message, source::Place at);
  std::vector<source::SourceFault>& faults() { return faults_; }
  [[nodiscard]] const std::vector<std::filesystem::path>& files() const { return files_; }

 private:
  struct Filling {
    const source::Tree* from;
    std::shared_ptr<source::Tree> to;
    std::unordered_map<const source::Node*, const source::Node*> done;
  };
  const source::Node* fill(Filling& filling, const source::Node& node, const std::string& path);
  std::string filled(const Filling& filling, const source::Node& scalar, const std::string& path,
                     bool& has_variable);
  std::optional<std::string> value_of(const Filling& filling, const source::Node& scalar, source::Span at,
                                      const std::string& path);
  [[nodiscard]] std::filesystem::path folder_of(const source::SourceFilePtr& file) const;

  std::filesystem::path folder_;  ///< canonical
  std::map<std::string, std::string> environment_;
  std::vector<std::shared_ptr<const source::Tree>> trees_;
  std::map<std::filesystem::path, source::SourceFilePtr> read_;
  std::map<const source::SourceFile*, std::filesystem::path> paths_;
  std::set<const source::Node*> with_variables_;
  /// Texts that had a variable and did not begin with `file:` before it was filled in.
  std::set<const source::Node*> made_by_variable_;
  std::vector<source::SourceFault> faults_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace parley::client
