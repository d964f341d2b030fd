#pragma once
/// JSON numbers as text: exact comparison, and conversion without a lossy intermediate (D31, I58). Pure functions.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace parley::json {

/// The nearest double; infinite if out of range. Needs: text that matches the JSON number grammar.
[[nodiscard]] double to_double(std::string_view number);
/// The whole value if there is one that fits 64 bits: `7`, `7.0`, `70e-1` are 7.
[[nodiscard]] std::optional<std::int64_t> to_integer(std::string_view number);
/// True if the number has no fraction, whatever its size: 1, 1.0, 10e-1, 1e300. Needs: as to_double.
[[nodiscard]] bool is_whole_number(std::string_view number);
/// True if both texts represent the same number, compared digit by digit: 1 equals 1.0 and 10e-1.
[[nodiscard]] bool same_number(std::string_view a, std::string_view b);
/// A text that is the same for two numbers exactly if they are the same_number.
[[nodiscard]] std::string canonical_number(std::string_view number);
/// The number without an exponent, as in prose: `1.2E7` is 12000000. Unchanged if that needs many zeros.
[[nodiscard]] std::string without_exponent(std::string_view number);
/// True if `a` represents less than `b`, also digit by digit.
[[nodiscard]] bool is_less_number(std::string_view a, std::string_view b);

}  // namespace parley::json
