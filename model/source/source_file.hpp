#pragma once
/// A text file as its author wrote it, and the positions in it. Values; any thread may read one.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace parley::source {

/// Both count from 1. Each character (code point) is one column, also a tab.
struct Position {
  std::uint32_t line = 1;
  std::uint32_t column = 1;
  auto operator<=>(const Position&) const = default;
};

/// Bytes [begin, end) of a file.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};

class SourceFile {
 public:
  /// `name` is the path as messages show it. A byte order mark at the beginning is left out.
  SourceFile(std::string name, std::string text);

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] std::string_view text() const { return text_; }
  /// The position of the byte; the end of the text for any offset beyond it.
  [[nodiscard]] Position position(std::size_t offset) const;
  [[nodiscard]] std::uint32_t line_count() const { return static_cast<std::uint32_t>(begins_.size()); }
  /// The line without its line end. Needs: a line of the file.
  [[nodiscard]] std::string_view line(std::uint32_t number) const;
  /// Needs: as line().
  [[nodiscard]] std::size_t line_begin(std::uint32_t number) const { return begins_[number - 1]; }

 private:
  std::string name_;
  std::string text_;
  std::vector<std::size_t> begins_;  ///< offsets of the lines
};
using SourceFilePtr = std::shared_ptr<const SourceFile>;

[[nodiscard]] SourceFilePtr source_file(std::string name, std::string text);

}  // namespace parley::source
