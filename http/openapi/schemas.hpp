#pragma once
/// The schemas that the route table names, for the OpenAPI document. Constants and pure functions; any thread.

#include <span>
#include <string_view>
#include <vector>

#include "model/json/json_writer.hpp"

namespace parley::http {

struct SchemaRow {
  std::string_view name;
  /// Writes the members of the schema object.
  void (*write)(json::Writer& out);
  /// Of records that lists give: the fields that they can be sorted by.
  std::vector<std::string_view> (*sort_names)() = nullptr;
};

[[nodiscard]] std::span<const SchemaRow> schemas();

}  // namespace parley::http
