#pragma once
/// Checks a suite file against the table of keys: unknown and missing keys, and values of the wrong shape. One thread.

#include "client/suite/file_keys.hpp"
#include "client/suite/suite_sources.hpp"

namespace parley::client {

/// Adds a fault to `sources` for each. What has a fault reads as absent afterwards, or as an empty value.
void check_section(SuiteSources& sources, const View& value, const FileSection& section);

/// The key of a name: `coffee-shop` for "Coffee shop". Names in other scripts than the Latin one get `x-` and a hash.
[[nodiscard]] std::string slug_of(std::string_view name);

/// Milliseconds of `250ms`, `20s`, `5m`, `2h`, `1d` or seconds; nullopt if malformed.
[[nodiscard]] std::optional<std::int64_t> duration_of(std::string_view text);

}  // namespace parley::client
