#pragma once
/// A fault in a text file, and its output for people and programs. Values and pure functions; any thread.

#include <string>
#include <string_view>
#include <vector>

#include "model/json/json_writer.hpp"
#include "model/source/source_file.hpp"

namespace parley::source {

enum class Level : std::uint8_t { error, warning };

/// A location in a file.
struct Place {
  SourceFilePtr file;
  Span at;
};

/// One fault. `code` is stable and names its kind (`unknown-key`, `duplicate-key`).
struct SourceFault {
  Level level = Level::error;
  std::string code;
  std::string message;           ///< without capital and full stop
  Place place;                   ///< without a file: the fault has no location
  std::vector<Place> from = {};  ///< what led to a location in another file, nearest first
  std::vector<Span> hidden =
      {};  ///< secrets in the file of `place`, in order; the source line shows `****` instead
};

/// At most this many faults are shown; the rest are counted.
inline constexpr std::size_t shown_faults_max = 50;

/// `file:line:column`
[[nodiscard]] std::string place_text(const Place& place);

/// The fault as compilers print it: location, level and message, the source line, and a caret under the
/// fault. Ends with a line end. Control characters of the source are shown as `?`.
[[nodiscard]] std::string fault_text(const SourceFault& fault);

/// A workflow command of GitHub Actions: `::error file=...,line=...,col=...,title=...::message`.
[[nodiscard]] std::string fault_annotation(const SourceFault& fault);

/// `{"level", "code", "message", "file", "line", "column", "endColumn", "from"}`
void write_fault(json::Writer& out, const SourceFault& fault);

enum class FaultFormat : std::uint8_t { text, json, github };
/// All faults, at most shown_faults_max, sorted by file (in the order of first appearance) and position. The
/// text ends with a sentence of counts (`6 errors in 1 file.`). Without faults, the text is empty and the
/// JSON is `[]`.
[[nodiscard]] std::string report_of(std::vector<SourceFault> faults, FaultFormat format);

/// `6 errors, 1 warning in 2 files.`
[[nodiscard]] std::string count_sentence(const std::vector<SourceFault>& faults);

[[nodiscard]] bool has_errors(const std::vector<SourceFault>& faults);

}  // namespace parley::source
