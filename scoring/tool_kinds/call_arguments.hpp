#pragma once
/// `config.arguments` and its options, for the types that compare tool calls and actions with expected ones
/// (D31). Pure functions; any thread.

#include "scoring/support/arguments.hpp"
#include "scoring/support/kind.hpp"

namespace parley::scoring {

[[nodiscard]] constexpr ConfigKey argument_mode_key(std::string_view name, std::string_view sentence) {
  return word_key(name, Words<ArgumentMode>::all, sentence);
}
inline constexpr ConfigKey argument_keys_key{
    "keys", false, ConfigType::names,
    "Only these argument names are compared; an empty list: the name alone."};
inline constexpr ConfigKey argument_defaults_key{
    "defaults", false, ConfigType::object,
    "Defaults of arguments: an argument that is left out counts as its value here."};
inline constexpr ConfigKey argument_tolerance_key{"tolerance", false, ConfigType::amount,
                                                  "Numbers in arguments that differ by no more are equal."};

/// The expected arguments and how to compare them. `mode_key` is the key of the mode in the config.
[[nodiscard]] ExpectedArguments expected_arguments(const json::Value& arguments, const json::Value& config,
                                                   std::string_view mode_key);

/// The arguments of a call as a reason shows them.
[[nodiscard]] std::string shown_arguments(const json::Value& metadata);

}  // namespace parley::scoring
