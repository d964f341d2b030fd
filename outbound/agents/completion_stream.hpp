#pragma once
/// Reassembles the chunks of a streamed chat completion. Pure; any thread.

#include <string>
#include <variant>

#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The completion that the endpoint would have sent without a stream, as JSON. Returns a chunk that reports an error
/// instead of a completion unchanged. Faults: not_json; broken for a stream without an end. Accepts any bytes.
[[nodiscard]] std::variant<std::string, CallFault> joined_completion(const HttpAnswer& answer,
                                                                     const Secrets& secrets);

}  // namespace parley::outbound
