#pragma once
/// Converts providers to agents of a suite, as far as possible without their code and keys. Pure.

#include <string>

#include "convert/reading/node.hpp"
#include "convert/records/records.hpp"

namespace parley::convert {

/// The id of a provider: `openai:chat:gpt-4o`, a URL, a file.
[[nodiscard]] std::string provider_id(const Node& provider);

/// Adds an HTTP or OpenAI provider to the agents that the suite proposes. Other providers are omitted.
void propose_agent(Suite& suite, const Node& provider);

}  // namespace parley::convert
