#pragma once
/// Finds the field that a client meant by a name that a body does not accept (D99). Pure; any thread.

#include <optional>
#include <span>
#include <string_view>

namespace parley {

/// The field of `taken` that the client probably meant by `given`: a field within an edit distance of 2 if it
/// has four or more characters, or one that another resource calls `given`. nullopt: `given` is unknown.
[[nodiscard]] std::optional<std::string_view> meant_field(std::string_view given,
                                                          std::span<const std::string_view> taken);

}  // namespace parley
