#pragma once
/// Times of spans and observations in the formats of all exporters: nanoseconds, microseconds, milliseconds, ISO 8601,
/// or the pair of seconds and nanoseconds of OpenTelemetry for JavaScript. Pure.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "convert/reading/node.hpp"

namespace parley::convert {

/// The time in a form that `is_earlier` compares: nanoseconds if the format is known, other texts and numbers
/// unchanged. Empty: the node is not a time.
[[nodiscard]] std::string time_of(const Node& node);
[[nodiscard]] std::string time_of(std::string_view text);

/// Compares two results of `time_of` from the same file: nanoseconds without leading zeros, or texts of equal length.
[[nodiscard]] bool is_earlier(const std::string& a, const std::string& b);

/// The whole milliseconds between two results of `time_of`; nullopt: they are not nanoseconds, or are in the wrong
/// order.
[[nodiscard]] std::optional<double> milliseconds_between(const std::string& begin, const std::string& end);

}  // namespace parley::convert
