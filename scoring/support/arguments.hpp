#pragma once
/// Compares the arguments of a tool call or an action with the expected ones (D31). Pure functions; any
/// thread.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"
#include "model/json/json.hpp"

namespace parley::scoring {

enum class ArgumentMode : std::uint8_t {
  partial,  ///< every expected argument is in the call, recursively
  exact,    ///< the call has the expected arguments and no other
  within,   ///< every argument of the call is expected with that value
};

}  // namespace parley::scoring

template <>
struct parley::Words<parley::scoring::ArgumentMode> {
  static constexpr std::array<std::string_view, 3> all{"partial", "exact", "within"};
};

namespace parley::scoring {

struct ExpectedArguments {
  json::Value arguments;  ///< an object
  ArgumentMode mode = ArgumentMode::partial;
  /// If given, only these names are compared, on both sides.
  std::optional<std::vector<std::string_view>> keys = {};
  /// An object: an argument that one side omits counts as its value here, so one that equals it may be omitted.
  std::optional<json::Value> defaults = {};
  double tolerance = 0;  ///< numbers that differ by no more are equal
};

/// True when `metadata.arguments` of the call are as expected. Absent ones count as `{}`; a string that contains
/// JSON, as in some model APIs, counts as that JSON.
[[nodiscard]] bool arguments_match(const json::Value& metadata, const ExpectedArguments& expected);

/// A text that the arguments of two calls have in common exactly if they are the same: absent, null, `{}` and "{}" are the
/// same, members in any order, 1 and 1.0; a string that contains JSON counts as that JSON, another one as itself.
[[nodiscard]] std::string canonical_arguments(const json::Value& metadata);

/// How two values are compared.
struct Agreement {
  bool partly = false;  ///< the second one's objects may have more members
  double tolerance = 0;
};
[[nodiscard]] bool agrees(const json::Value& one, const json::Value& other, const Agreement& how);

/// True when both are numbers and the first is below the second.
[[nodiscard]] bool is_less(const json::Value& a, const json::Value& b);

/// True if `part` is in `whole`: objects may have more members, recursively; all else must be equal.
[[nodiscard]] bool is_part_of(const json::Value& part, const json::Value& whole);

}  // namespace parley::scoring
