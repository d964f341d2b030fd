#pragma once
/// The only table of formats: the values of `--from`, how each format is recognized, and the function that reads it.
/// `--from auto`, the help text and the faults that name another format are derived from it. Constants; any thread.

#include <span>
#include <string_view>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Converts all PATHs in one call.
using Importer = void (*)(Conversion& conversion);
/// How well the content fits; 0: not at all. `head` is the parsed document, or its first value; null for other files.
using Recognizer = int (*)(const std::string& path, std::string_view text, const Node* head);

struct Format {
  std::string_view name;
  std::string_view alias;    ///< another name; empty: none
  std::string_view title;    ///< for example "promptfoo configurations"
  std::string_view paths;    ///< what PATH may be
  std::string_view options;  ///< options that only this format has
  Importer import;
  Recognizer looks_like;
};

[[nodiscard]] std::span<const Format> formats();
/// Finds a format by name or alias; null: unknown.
[[nodiscard]] const Format* find_format(std::string_view name);
/// The format that the file looks like; null: no format fits.
[[nodiscard]] const Format* recognized(const std::string& path, std::string_view text);

}  // namespace parley::convert
