#pragma once
/// Builds checks: one function for each shape that several importers need. Pure; any thread.

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "convert/records/records.hpp"

namespace parley::convert {

/// `turn:N`
[[nodiscard]] std::string turn_scope(std::size_t turn);

/// What a text comparison ignores; `fixed`: the default of the assertion type.
enum class Ignoring : std::uint8_t { nothing, letter_case, whitespace, case_and_whitespace, fixed };

/// An assertion type with one `value`: contains, icontains, equals, starts-with, ends-with, levenshtein. An empty scope
/// is omitted.
[[nodiscard]] Check text_check(std::string_view type, std::string_view value, std::string_view scope = {},
                               Ignoring ignoring = Ignoring::fixed);
/// An assertion type with a list of `values`.
[[nodiscard]] Check texts_check(std::string_view type, std::span<const std::string> values,
                                std::string_view scope = {}, Ignoring ignoring = Ignoring::fixed);
/// The assertion type regex or wildcard.
[[nodiscard]] Check pattern_check(std::string_view type, std::string_view pattern,
                                  std::string_view scope = {}, Ignoring ignoring = Ignoring::fixed);
/// An assertion type with the number `number` under `key`.
[[nodiscard]] Check number_check(std::string_view type, std::string_view key, double number,
                                 std::string_view scope = {});

[[nodiscard]] Check criterion_of(std::string text);
/// A criterion: the answer to turn `turn`, counted from 0, says `text` in substance.
[[nodiscard]] Check criterion_says(const std::string& text, std::size_t turn);
/// A criterion: the answer says one of the texts in substance. Needs: at least one text.
[[nodiscard]] Check criterion_says_any(std::span<const std::string> texts, std::size_t turn);

/// A `tool-called` check. `arguments` is JSON; a value that is not an object is not compared.
[[nodiscard]] Check tool_called_check(std::string_view tool, std::string_view arguments,
                                      std::string_view scope);

/// A `json` check with `condition` and a JSON value, on messages, tools or events; `which` may be empty.
struct JsonQuestion {
  std::string pointer;
  std::string entries;
  std::string name = {};
  std::string condition;
  std::string value;
  std::string which = {};
};
[[nodiscard]] Check json_check(const JsonQuestion& question);

/// An assert-set of several checks; `match` is all or any.
[[nodiscard]] Check set_check(std::string_view match, std::span<const Check> checks);
/// An assert-set that passes if checks with this share of the weights pass; `threshold` is JSON.
[[nodiscard]] Check threshold_check(std::string_view threshold, std::span<const Check> checks);

}  // namespace parley::convert
