#pragma once
/// Decides, before a body is parsed, whether its regular expressions are checked in the background queue instead of on the
/// connection's thread. Pure; any thread.

#include "http/exchange/request_context.hpp"

namespace parley::http {

/// A larger body may hold many patterns.
inline constexpr std::size_t light_body_bytes_max = 8 * 1024;
/// The most Unicode classes (`\p{L}`) and counted repetitions (`{20}`) of a body that is not costly; up to 10 ms each.
inline constexpr int costly_pieces_max = 2;

/// True if checking the body's patterns may take more than 20 ms; PatternCheck allows a quarter of a second. A body that is
/// compressed or spells ASCII characters by number cannot be read here, and counts as costly. It may be wrong about a body
/// without patterns, which then waits for its turn among the costly bodies of other users.
[[nodiscard]] bool may_hold_costly_patterns(const RequestContext& call);

}  // namespace parley::http
