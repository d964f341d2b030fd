#pragma once
/// The JSON Schema (draft-07) of suite files, generated from the table of keys. Pure; any thread.

#include <string>

#include "client/suite/file_keys.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

/// Writes the member `"name": {...}` for the key. Needs: an open object in `out`.
void write_key_schema(json::Writer& out, const FileKey& key);

/// Returns the schema of a suite file, which `parley schema` prints.
[[nodiscard]] std::string suite_schema();

/// Describes the values of a key, such as `whole number, 1 to 1000`.
[[nodiscard]] std::string value_words(const FileKey& key);

/// Returns the tables of docs/reference/suite-file.md, one per section.
[[nodiscard]] std::string suite_key_tables();

}  // namespace parley::client
