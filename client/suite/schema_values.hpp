#pragma once
/// JSON Schema (draft-07) of suite files, generated from the table of keys. Pure; any thread.

#include <string>

#include "client/suite/file_keys.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {

/// The member `"name": {...}` for the key. Needs: an open object in `out`.
void write_key_schema(json::Writer& out, const FileKey& key);

/// The schema of a suite file: `parley schema`.
[[nodiscard]] std::string suite_schema();

/// The description of a key's value: `whole number, 1 to 1000`.
[[nodiscard]] std::string value_words(const FileKey& key);

/// The tables of docs/reference/suite-file.md: one for each section.
[[nodiscard]] std::string suite_key_tables();

}  // namespace parley::client
