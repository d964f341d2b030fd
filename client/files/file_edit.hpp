#pragma once
/// Changes values in a suite file and leaves everything else unchanged: comments, order and blank lines. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "model/source/yaml_reader.hpp"

namespace parley::client {

/// Returns the text as a YAML scalar on one line. Dollars are doubled, because a dollar begins a variable.
[[nodiscard]] std::string scalar_text(std::string_view value);
/// Returns compact JSON as a YAML flow value, with a blank after each colon and comma, and with dollars doubled.
[[nodiscard]] std::string flow_text(std::string_view json);

class FileEdit {
 public:
  /// Problem: the text is not YAML.
  [[nodiscard]] static Expected<FileEdit> of(std::string name, std::string text);

  /// Returns the mapping whose `name` is at the line and column, or whose key is there. Null if no mapping matches.
  [[nodiscard]] const source::Node* mapping_at(std::uint32_t line, std::uint32_t column) const;
  /// Replaces the value of the member. A missing member is inserted before the first member of a block mapping.
  /// Problem: the value comes from a variable, a file or an alias, or the mapping is a flow mapping without the
  /// member.
  [[nodiscard]] Expected<Done> set_text(const source::Node& mapping, std::string_view member,
                                        std::string_view value);
  /// Does the same with a value in compact JSON: a list, a mapping, true or false.
  [[nodiscard]] Expected<Done> set_json(const source::Node& mapping, std::string_view member,
                                        std::string_view value);
  /// Returns the file with all changes.
  [[nodiscard]] std::string text() const;

 private:
  struct Change {
    std::size_t begin;
    std::size_t end;
    std::string text;
  };
  FileEdit(source::SourceFilePtr file, std::shared_ptr<const source::Tree> tree)
      : file_(std::move(file)), tree_(std::move(tree)) {}
  [[nodiscard]] Expected<Done> set(const source::Node& mapping, std::string_view member,
                                   const std::string& flow, std::string_view block);
  [[nodiscard]] Change block_change(const source::Member& member, std::string_view value) const;

  source::SourceFilePtr file_;
  std::shared_ptr<const source::Tree> tree_;
  std::vector<Change> changes_;
};

}  // namespace parley::client
