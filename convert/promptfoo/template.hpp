#pragma once
/// The data subset of Nunjucks: `{{ name }}`, `{{ name.path[0] }}`, `{{ 'text' }}`, `{{ name | safe }}` and
/// `{{ name | dump }}`, which is the value as JSON. Blocks and other filters are code and are not run. Pure.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

using Variables = std::map<std::string, Node>;

/// The text with every variable replaced; unknown variables are empty, as in Nunjucks. nullopt: the text, or
/// the value of a variable in it, contains code or needs the environment.
[[nodiscard]] std::optional<std::string> rendered(std::string_view text, const Variables& variables);

/// Whether the text uses the variable.
[[nodiscard]] bool uses_variable(std::string_view text, std::string_view name);

/// A JSON prompt with `"{{ name }}"` for each unquoted `{{ name | dump }}`, so that it is valid JSON before the
/// variables are replaced.
[[nodiscard]] std::string with_quoted_dumps(std::string_view prompt);

/// The text without `{% for %}` blocks over `_conversation`, which repeat earlier turns.
[[nodiscard]] std::string without_history_blocks(std::string_view text);

}  // namespace parley::convert
