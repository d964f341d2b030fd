#pragma once
/// A probe's call and its answer for the check of an agent (D100): without secrets, in UTF-8, and cut. Pure; any
/// thread.

#include "actors/commands.hpp"
#include "outbound/outgoing_call.hpp"
#include "outbound/redaction/redaction.hpp"

namespace parley::actors {

[[nodiscard]] ProbeSent shown_call(const outbound::HttpRequest& request, const outbound::Secrets& secrets);
[[nodiscard]] ProbeReceived shown_answer(const outbound::HttpAnswer& answer,
                                         const outbound::Secrets& secrets);

}  // namespace parley::actors
