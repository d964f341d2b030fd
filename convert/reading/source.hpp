#pragma once
/// A file as importers see it: its text, places in the text, and the faults found. Plain values; one thread.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace parley::convert {

/// A line and a column in characters, both counted from 1. Line 0: the file as a whole.
struct Place {
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  bool operator==(const Place&) const = default;
};

/// Invariant: `text` is UTF-8 without BOM, NUL bytes and CR LF.
struct Source {
  std::string path;  ///< as given by the caller; `FILE/MEMBER` for a zip member
  std::string text;
};

/// `FILE:LINE:COLUMN`, or the path alone.
[[nodiscard]] std::string shown(const std::string& path, Place place);
/// The place of a byte offset in the text.
[[nodiscard]] Place place_at(std::string_view text, std::size_t offset);

/// All errors in the input. A conversion with a fault writes nothing.
class Faults {
 public:
  /// Further faults are not shown. Most importers stop reading then.
  static constexpr std::size_t shown_max = 50;

  void add(const Source& source, Place place, std::string message);
  void add(const std::string& path, std::string message);
  [[nodiscard]] bool empty() const { return count_ == 0; }
  [[nodiscard]] std::size_t count() const { return count_; }
  /// In the format of a compiler: `FILE:LINE:COLUMN: error: ...`, the line, a caret.
  [[nodiscard]] std::string text() const;

 private:
  std::vector<std::string> shown_;
  std::size_t count_ = 0;
};

/// Checks the encoding of `bytes`, and removes the BOM and the CR of each CR LF. nullopt: a fault was added.
[[nodiscard]] std::optional<Source> source_of(std::string path, std::string bytes, Faults& faults);

/// Walks forward through a text and finds the place of each offset. Needs: offsets that do not decrease.
class PlaceCursor {
 public:
  explicit PlaceCursor(std::string_view text, std::size_t begin = 0, std::uint32_t line = 1)
      : text_(text), at_(begin), line_(line) {}
  [[nodiscard]] Place to(std::size_t offset);

 private:
  std::string_view text_;
  std::size_t at_;
  std::uint32_t line_;
  std::uint32_t column_ = 1;
};

/// The lines of a text without their line ends.
[[nodiscard]] std::vector<std::string_view> lines_of(std::string_view text);

}  // namespace parley::convert
