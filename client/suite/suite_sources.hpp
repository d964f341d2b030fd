#pragma once
/// The files of a suite: reads them within the project folder, fills in `${NAME}`, and gives views of their values. One thread.

#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/source/source_tree.hpp"

namespace parley::client {

/// Of a suite file and of each file that it names.
inline constexpr std::size_t suite_bytes_max = 8 * 1024 * 1024;

/// A value of a suite file and the file it is in; absent where `node` is null.
struct View {
  const source::Node* node = nullptr;
  source::SourceFilePtr file;

  [[nodiscard]] explicit operator bool() const { return node != nullptr; }
  /// The member's value; absent also if it is null.
  [[nodiscard]] View at(std::string_view key) const;
  [[nodiscard]] std::vector<View> items() const;
  [[nodiscard]] source::Place place() const { return {file, node->at}; }
  /// Of the member's key; of the mapping if there is no such member.
  [[nodiscard]] source::Place key_place(std::string_view key) const;
  /// As written. Empty for a value that is not a scalar.
  [[nodiscard]] std::string text() const {
    return node != nullptr && node->is_scalar() ? node->text : std::string();
  }
  [[nodiscard]] std::optional<std::int64_t> whole() const;
  [[nodiscard]] std::optional<double> number() const;
  [[nodiscard]] bool flag() const;
  /// The items of a list; a scalar is a list of one.
  [[nodiscard]] std::vector<View> names() const;
  [[nodiscard]] std::string json() const;
};

/// A text with its place: in the suite, or in the file that `file:` names.
struct PlacedText {
  std::string text;
  source::SourceFilePtr content;  ///< the file that `file:` names; null: the text is the scalar's
  View view;
  /// Of the line (from 1) of the text, from its column on; the whole value if that is unknown.
  [[nodiscard]] source::Place place_of_line(std::uint32_t line, std::size_t column) const;
  /// For a fault in another file: the scalar that named it.
  [[nodiscard]] std::vector<source::Place> from() const;
};

class SuiteSources {
 public:
  SuiteSources(std::filesystem::path folder, std::map<std::string, std::string> environment);

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  /// Reads a suite file and fills in its variables. Absent, with faults: it cannot be read.
  View read_suite(const std::filesystem::path& path, const source::Place& named_at);
  /// The content of a file within the project folder. Null, with a fault at `named_at`: it cannot be read.
  source::SourceFilePtr read_file(const std::filesystem::path& path, const source::Place& named_at);
  /// The text of the value; the content of the file if it says `file:PATH`.
  PlacedText text_of(const View& value);
  /// Paths that match the glob, relative to the folder of the file that has it, sorted. Faults: none matches; one is outside.
  std::vector<std::filesystem::path> matching(const View& glob);
  /// Within the project folder, whether it exists or not. Relative to the folder of the file that names it. Fault: it is outside.
  std::optional<std::filesystem::path> inside(const std::string& path, const View& named_by);
  /// True for a value that had a `${...}`.
  [[nodiscard]] bool has_variable(const View& value) const { return with_variables_.contains(value.node); }
  /// `file:PATH` as written; not if a variable produced that beginning.
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
  std::set<const source::Node*> made_by_variable_;  ///< texts with `file:` at the beginning only since then
  std::vector<source::SourceFault> faults_;
  std::vector<std::filesystem::path> files_;
};

}  // namespace parley::client
