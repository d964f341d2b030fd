#pragma once
/// Escapes texts of a source so that parley does not interpret any part of them. Pure functions; any thread.

#include <string>
#include <string_view>

namespace parley::convert {

/// A text as a JSON string that is also a YAML string: control characters and Unicode line breaks are escaped.
[[nodiscard]] std::string quoted_text(std::string_view text);
/// The script line that says exactly this text: `say: "..."`, with `{{` escaped (D60).
[[nodiscard]] std::string say_line(std::string_view text);

struct Prose {
  std::string text;
  bool was_changed = false;  ///< a line was a script directive, or contained a placeholder
};
/// Prose for the model tester that is never read as a script (D61) and contains no placeholder.
[[nodiscard]] Prose safe_prose(std::string_view text);

/// A `wildcard` pattern that matches only this text.
[[nodiscard]] std::string escaped_for_wildcard(std::string_view text);
/// Converts a source glob, in which only `*` is special.
[[nodiscard]] std::string glob_to_wildcard(std::string_view glob);
/// An RE2 pattern that matches only this text.
[[nodiscard]] std::string escaped_for_pattern(std::string_view text);

/// Doubles each `$`, so that a value of a suite contains no `${` reference.
[[nodiscard]] std::string dollars_doubled(std::string_view text);

}  // namespace parley::convert
