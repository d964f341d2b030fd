#pragma once
/// Operations on metadata objects that keep every value's text as it was sent (I37, I58). Pure functions.

#include <span>
#include <string>
#include <string_view>

#include "model/json/json.hpp"

namespace parley {

/// `base` overridden by the top-level keys of `patch`: existing keys keep their place, new ones follow.
/// Needs: both are objects; an unreadable one counts as empty.
[[nodiscard]] json::Text merged(const json::Text& base, const json::Text& patch);

/// `object` without the named top-level keys; {} if it is unreadable.
[[nodiscard]] json::Text without(const json::Text& object, std::span<const std::string_view> keys);

}  // namespace parley
