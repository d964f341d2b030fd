#pragma once
/// Reads the keys of an assertion's config. A key that is absent, null (D5) or of the wrong JSON type counts as
/// absent; check_keys has already reported it. Views point into the config's document.

#include <optional>
#include <string_view>
#include <vector>

#include "model/description/record_parse.hpp"

namespace parley::scoring {

[[nodiscard]] std::optional<std::string_view> text_at(const json::Value& config, std::string_view key);
[[nodiscard]] std::optional<std::int64_t> count_at(const json::Value& config, std::string_view key);
[[nodiscard]] std::optional<double> number_at(const json::Value& config, std::string_view key);
[[nodiscard]] bool flag_at(const json::Value& config, std::string_view key);
/// The strings of an array.
[[nodiscard]] std::optional<std::vector<std::string_view>> texts_at(const json::Value& config,
                                                                    std::string_view key);
/// The items of an array.
[[nodiscard]] std::vector<json::Value> items_at(const json::Value& config, std::string_view key);
/// The items of `value` (one) or `values` (several); empty if neither is given.
[[nodiscard]] std::vector<std::string_view> value_or_values(const json::Value& config);
/// Adds a fault unless exactly one of `value` and `values` is given.
void check_value_or_values(const json::Value& config, const std::string& pointer, Findings& findings);
/// The JSON pointer of the item with this index.
[[nodiscard]] std::string value_pointer(const json::Value& config, std::size_t index);
/// Adds a fault if the value of the key is an empty text.
void check_not_empty(std::string_view key, const json::Value& config, const std::string& pointer,
                     Findings& findings);

}  // namespace parley::scoring
