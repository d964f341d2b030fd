#pragma once
/// The part of Nunjucks that is data: `{{ name }}` and `{{ name.path[0] }}`. Blocks and filters are code and are not run. Pure.

#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

using Variables = std::map<std::string, Node>;

/// The text with every variable filled in; an unknown one is empty, as with Nunjucks. nullopt: it holds code, or needs the
/// environment.
[[nodiscard]] std::optional<std::string> rendered(std::string_view text, const Variables& variables);

/// Whether the text uses the variable.
[[nodiscard]] bool uses_variable(std::string_view text, std::string_view name);

/// The text without comments and without `{% for %}` blocks over `_conversation`, which repeat earlier turns.
[[nodiscard]] std::string without_history_blocks(std::string_view text);

}  // namespace parley::convert
