#pragma once
/// How texts of a source are written so that nothing in them means anything to parley. Pure functions; any thread.

#include <string>
#include <string_view>

namespace parley::convert {

/// A text as a JSON string that is also a YAML string: no control character, no line break of Unicode stays as it is.
[[nodiscard]] std::string quoted_text(std::string_view text);
/// The line of a script that says exactly this text: `say: "..."`, with `{{` escaped (D60).
[[nodiscard]] std::string say_line(std::string_view text);

struct Prose {
  std::string text;
  bool was_changed = false;  ///< a line would have been a directive of a script, or held a placeholder
};
/// Prose for the model tester that is never read as a script (D61) and in which no field is filled in.
[[nodiscard]] Prose safe_prose(std::string_view text);

/// The text as a pattern of `wildcard` that matches only itself.
[[nodiscard]] std::string escaped_for_wildcard(std::string_view text);
/// A source glob in which only `*` is special.
[[nodiscard]] std::string glob_to_wildcard(std::string_view glob);
/// The text as an RE2 pattern that matches only itself.
[[nodiscard]] std::string escaped_for_pattern(std::string_view text);

/// Values of suites: `$` doubled, so that `${` means nothing.
[[nodiscard]] std::string dollars_doubled(std::string_view text);

}  // namespace parley::convert
