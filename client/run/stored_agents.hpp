#pragma once
/// Agents on a server by their names.

#include <string>

#include "client/remote/api.hpp"

namespace parley::client {

/// The id of the agent with that name or id. Problem `not_found`: there is no such agent; it suggests the most similar name.
[[nodiscard]] Expected<std::string> agent_id_of(Api& api, const std::string& name);

}  // namespace parley::client
