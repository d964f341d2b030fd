#pragma once
/// Checks a suite file against the table of keys: unknown and missing keys, and values of the wrong shape. One thread.

#include "client/files/suite_sources.hpp"
#include "client/suite/file_keys.hpp"

namespace parley::client {

/// Adds a fault to `sources` for each error. A value with a fault then reads as absent or empty.
void check_section(SuiteSources& sources, const View& value, const FileSection& section);

/// Derives a key from a name: `coffee-shop` for "Coffee shop". Names in a non-Latin script become `x-` and a hash.
[[nodiscard]] std::string slug_of(std::string_view name);

/// Parses `250ms`, `20s`, `5m`, `2h`, `1d` or a number of seconds into milliseconds; nullopt if malformed.
[[nodiscard]] std::optional<std::int64_t> duration_of(std::string_view text);

}  // namespace parley::client
