#pragma once
/// Variables in Botium texts. Pure functions; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace parley::convert {

/// The variable names after `$` in the text, in order. A name is a letter and at least one more word character.
[[nodiscard]] std::vector<std::string> variables_in(std::string_view text);
/// Whether the name is a function that Botium evaluates while it plays, such as `$date` or `$random(10)`.
[[nodiscard]] bool is_botium_function(std::string_view name);

}  // namespace parley::convert
