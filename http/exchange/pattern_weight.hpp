#pragma once
/// Decides, before a body is parsed, whether its regular expressions are checked in the background queue instead of
/// on the connection's thread. Pure; any thread.

#include "http/exchange/request_context.hpp"

namespace parley::http {

/// A larger body may contain many patterns.
inline constexpr std::size_t light_body_bytes_max = 8 * 1024;
/// The most Unicode classes (`\p{L}`) and counted repetitions (`{20}`) that a cheap body may contain; each costs up
/// to 10 ms.
inline constexpr int costly_pieces_max = 2;

/// True if checking the body's patterns may take more than 20 ms; PatternCheck allows a quarter of a second. A body
/// that is compressed or escapes ASCII characters by number cannot be examined here, and counts as costly. A body
/// without patterns may wrongly count as costly; it then waits its turn among the costly bodies of other users.
[[nodiscard]] bool may_hold_costly_patterns(const RequestContext& call);

}  // namespace parley::http
