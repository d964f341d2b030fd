#pragma once
/// Finds agents on a server by name.

#include <string>

#include "client/remote/api.hpp"

namespace parley::client {

/// Returns the id of the agent with this name or id. Problem `not_found`: no such agent exists; the text suggests the
/// most similar name.
[[nodiscard]] Expected<std::string> agent_id_of(Api& api, const std::string& name);

}  // namespace parley::client
