#pragma once
/// The schemas that the route table names, for the OpenAPI document. Constants and pure functions; any thread.

#include <span>
#include <string_view>

#include "model/json_writer.hpp"

namespace parley::http {

struct SchemaRow {
  std::string_view name;
  /// Writes the members of the schema object.
  void (*write)(json::Writer& out);
};

[[nodiscard]] std::span<const SchemaRow> schemas();

}  // namespace parley::http
