#pragma once
/// Variables in texts of Botium. Pure functions; any thread.

#include <string>
#include <string_view>
#include <vector>

namespace parley::convert {

/// The names after `$` in the text, in order: a letter and at least one more word character.
[[nodiscard]] std::vector<std::string> variables_in(std::string_view text);
/// A function that Botium calls while it plays, such as `$date` or `$random(10)`.
[[nodiscard]] bool is_botium_function(std::string_view name);

}  // namespace parley::convert
