#pragma once
/// A probe's call and its answer as the agent check shows them (D100): without secrets, in UTF-8, and
/// truncated. Pure; any thread.

#include "actors/commands.hpp"
#include "outbound/outgoing_call.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::actors {

[[nodiscard]] ProbeSent shown_call(const outbound::HttpRequest& request, const outbound::Secrets& secrets);
[[nodiscard]] ProbeReceived shown_answer(const outbound::HttpAnswer& answer,
                                         const outbound::Secrets& secrets);

}  // namespace parley::actors
