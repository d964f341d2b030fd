#pragma once
/// What the detection of hallucinations looks at (D24): the claims of one result, and what its agent may know besides what
/// was said. Reads a snapshot and costs CPU; used by the tracer on its own thread.

#include <optional>
#include <string>
#include <vector>

#include "actors/commands.hpp"
#include "model/agent.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

/// What the agent was told: `metadata.knowledge` (a text or a list of texts) and the system prompt of an OPENAI agent.
[[nodiscard]] std::vector<std::string> knowledge_of(const Agent& agent);

/// The claims of a result; nullopt for one that is not finished, is gone, or has those of this detection.
[[nodiscard]] Result<std::optional<KeepClaims>> trace_result(const store::Snapshot& snapshot,
                                                             const Id& result, std::int64_t detection,
                                                             const std::vector<std::string>& knowledge);

}  // namespace parley::actors
