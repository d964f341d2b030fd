#pragma once
/// JSON Schema of the config of an assertion type, derived from the table of types as body checks are. It may accept configs
/// that those refuse (for rules beyond presence and JSON type of the keys), and refuses none that they accept. Pure; any thread.

#include "model/json/json_writer.hpp"
#include "scoring/support/kind.hpp"

namespace parley::scoring {

/// The members of the schema object. Needs: an open object in `out`.
void write_config_schema(json::Writer& out, const Kind& kind);
/// Whether the type has a required key, so that every assertion of it needs a config.
[[nodiscard]] bool needs_config(const Kind& kind);

}  // namespace parley::scoring
