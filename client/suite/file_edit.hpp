#pragma once
/// Changes values of a suite file and leaves everything else unchanged: comments, order, blank lines. Pure.

#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"
#include "model/source/yaml_reader.hpp"

namespace parley::client {

/// The text as a YAML scalar on one line. A dollar is doubled, because one starts a variable.
[[nodiscard]] std::string scalar_text(std::string_view value);
/// Compact JSON as a flow value of YAML, with a blank after each colon and comma, and dollars doubled.
[[nodiscard]] std::string flow_text(std::string_view json);

class FileEdit {
 public:
  /// Problem: the text is not YAML.
  [[nodiscard]] static Expected<FileEdit> of(std::string name, std::string text);

  /// The mapping whose `name` is written at the line and column, or that belongs to the key written there. Null: no mapping is there.
  [[nodiscard]] const source::Node* mapping_at(std::uint32_t line, std::uint32_t column) const;
  /// Replaces the value of the member; if it is missing, adds it below the first one of a block mapping.
  /// Problem: the value comes from a variable, a file or an alias, or the mapping is written in one line and lacks the member.
  [[nodiscard]] Expected<Done> set_text(const source::Node& mapping, std::string_view member,
                                        std::string_view value);
  /// The same with a value that is compact JSON: a list, a mapping, true or false.
  [[nodiscard]] Expected<Done> set_json(const source::Node& mapping, std::string_view member,
                                        std::string_view value);
  /// The file with all changes.
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
