#pragma once
/// Providers as agents of a suite: what can be said without their code and without their keys. Pure.

#include <string>

#include "convert/reading/node.hpp"
#include "convert/records/records.hpp"

namespace parley::convert {

/// The id of a provider: `openai:chat:gpt-4o`, a URL, a file.
[[nodiscard]] std::string provider_id(const Node& provider);

/// Adds a provider over HTTP, or one of OpenAI, to the agents that the suite proposes; others are left out.
void propose_agent(Suite& suite, const Node& provider);

}  // namespace parley::convert
