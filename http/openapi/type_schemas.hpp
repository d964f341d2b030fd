#pragma once
/// Schemas of bodies that depend on the value of `type`: assertions, agents and entries. They are written from the
/// same tables and descriptions that check the bodies. Pure functions; any thread.

#include "model/json/json_writer.hpp"

namespace parley::http {

// Each function writes the members of a schema object. Needs: an open object in `out`.

/// The names of the assertion types.
void write_assertion_type(json::Writer& out);
/// An assertion in a body, with the config for its type.
void write_assertion(json::Writer& out);

/// The names of the agent types.
void write_agent_type(json::Writer& out);
/// The body of a POST or PATCH of an agent, with the config for its type.
void write_agent_body(json::Writer& out);
void write_agent_patch(json::Writer& out);
/// The `secrets` of an agent.
void write_secrets(json::Writer& out);

/// The body of an entry, and a message of an external log, with the constraints for each type.
void write_entry_body(json::Writer& out);
void write_log_message(json::Writer& out);

}  // namespace parley::http
