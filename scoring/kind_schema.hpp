#pragma once
/// JSON Schema of an assertion type's config, derived from the table of types, like the body checks. It may
/// accept configs that those checks reject (because of rules beyond presence and JSON type of the keys), but
/// rejects none that they accept. Pure; any thread.

#include "model/json/json_writer.hpp"
#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// Writes the members of the schema object. Needs: an open object in `out`.
void write_config_schema(json::Writer& out, const Kind& kind);
/// Whether the type has a required key, so that every assertion of the type needs a config.
[[nodiscard]] bool needs_config(const Kind& kind);

}  // namespace parley::scoring
