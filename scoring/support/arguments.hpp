#pragma once
/// Compares the arguments of a tool call or an action with the expected ones (D31). Pure functions; any thread.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/description/record.hpp"
#include "model/json/json.hpp"

namespace parley::scoring {

enum class ArgumentMode : std::uint8_t {
  partial,  ///< the call has every expected argument; nested objects also compare partially
  exact,    ///< the call has the expected arguments and no others
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
  /// An object. An argument that one side omits has its value from here, so an argument that equals it may be omitted.
  std::optional<json::Value> defaults = {};
  double tolerance = 0;  ///< numbers that differ by at most this are equal
};

/// Whether `metadata.arguments` of the call are as expected. Absent arguments count as `{}`. A string that
/// contains JSON, as in some model APIs, counts as that JSON.
[[nodiscard]] bool arguments_match(const json::Value& metadata, const ExpectedArguments& expected);

/// A text that is equal for two calls exactly if their arguments are the same. Absent, null, `{}` and "{}" are
/// the same, and so are members in any order, and 1 and 1.0. A string that contains JSON counts as that JSON,
/// any other string as itself.
[[nodiscard]] std::string canonical_arguments(const json::Value& metadata);

/// How to compare two values.
struct Agreement {
  bool partly = false;  ///< objects in the second value may have more members
  double tolerance = 0;
};
[[nodiscard]] bool agrees(const json::Value& one, const json::Value& other, const Agreement& how);

/// Whether both are numbers and the first is less than the second.
[[nodiscard]] bool is_less(const json::Value& a, const json::Value& b);

/// Whether `part` is in `whole`: objects in `whole` may have more members, recursively; everything else must be equal.
[[nodiscard]] bool is_part_of(const json::Value& part, const json::Value& whole);

}  // namespace parley::scoring
