#pragma once
/// Makes checks: one function for each shape that several importers need. Pure; any thread.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// `turn:N`
[[nodiscard]] std::string turn_scope(std::size_t turn);

/// Which letter case and such does not count; `fixed`: the type's own default.
enum class Ignoring : std::uint8_t { nothing, letter_case, whitespace, case_and_whitespace, fixed };

/// A type with one `value`: contains, icontains, equals, starts-with, ends-with, levenshtein. Empty scope: none.
[[nodiscard]] Check text_check(std::string_view type, std::string_view value, std::string_view scope = {},
                               Ignoring ignoring = Ignoring::fixed);
/// A type with `values`.
[[nodiscard]] Check texts_check(std::string_view type, std::span<const std::string> values,
                                std::string_view scope = {}, Ignoring ignoring = Ignoring::fixed);
/// regex or wildcard.
[[nodiscard]] Check pattern_check(std::string_view type, std::string_view pattern,
                                  std::string_view scope = {}, Ignoring ignoring = Ignoring::fixed);
/// A number under `key`.
[[nodiscard]] Check number_check(std::string_view type, std::string_view key, double number,
                                 std::string_view scope = {});

[[nodiscard]] Check criterion_of(std::string text);
/// The answer to turn `turn` says this in substance.
[[nodiscard]] Check criterion_says(const std::string& text, std::size_t turn);

/// `json` with `condition` and a JSON value, on messages, tools or events; `which` may be empty.
struct JsonQuestion {
  std::string pointer;
  std::string entries;
  std::string name = {};
  std::string condition;
  std::string value;
  std::string which = {};
};
[[nodiscard]] Check json_check(const JsonQuestion& question);

/// Several checks as one: `match` all or any.
[[nodiscard]] Check set_check(std::string_view match, std::span<const Check> checks);

}  // namespace parley::convert
