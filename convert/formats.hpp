#pragma once
/// THE table of formats: what `--from` takes, what a format looks like, and the function that reads it. `--from auto`, the help
/// and the faults that name another format are derived from it. Constants; any thread.

#include <span>
#include <string_view>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// A function of the table: one call converts all PATHs.
using Importer = void (*)(Conversion& conversion);
/// How well the content fits: 0 not at all. `head` is a parsed document, or the first line of JSON Lines; null for other files.
using Recognizer = int (*)(const std::string& path, std::string_view text, const Node* head);

struct Format {
  std::string_view name;
  std::string_view alias;    ///< another name; empty: none
  std::string_view title;    ///< as in "promptfoo configurations"
  std::string_view paths;    ///< what PATH may be
  std::string_view options;  ///< options of its own
  Importer import;
  Recognizer looks_like;
};

[[nodiscard]] std::span<const Format> formats();
/// By name or alias; null: unknown.
[[nodiscard]] const Format* find_format(std::string_view name);
/// The format that the file looks like; null: none.
[[nodiscard]] const Format* recognized(const std::string& path, std::string_view text);

}  // namespace parley::convert
