#pragma once
/// Finds the JSON object that a language model was asked for in the text that it wrote (D105): in a Markdown
/// fence, after thoughts between `<think>` and `</think>`, or between other words. Pure functions; any
/// thread.

#include <initializer_list>
#include <optional>
#include <string_view>
#include <variant>

#include "model/json/json.hpp"

namespace parley::json {

/// The text after the thoughts, which may lack their opening tag; empty if the thoughts do not end.
[[nodiscard]] std::string_view without_thoughts(std::string_view text);
/// The content of a Markdown fence around the whole text; otherwise the text without blanks at both ends.
[[nodiscard]] std::string_view without_fence(std::string_view text);

enum class EmbeddedFault : std::uint8_t {
  none,     ///< no object has the keys
  several,  ///< two different objects have the keys
};

/// The one object with at least these keys, possibly inside another value; equal objects count once. Thoughts are not searched.
/// Takes time proportional to the text, for any arrangement of braces.
[[nodiscard]] std::variant<Document, EmbeddedFault> only_object(std::string_view text,
                                                                std::initializer_list<std::string_view> keys);

}  // namespace parley::json
