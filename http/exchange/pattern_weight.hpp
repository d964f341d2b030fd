#pragma once
/// Whether a body may hold regular expressions that are costly to check, told from its text alone, before anybody has parsed it.
/// The text is looked at with its escapes undone, so that no spelling (`r\u0065gex`, `if \/`) hides a pattern, and a common one
/// (`\u00f6`, `https:\/\/`) is none. Pure; the connection's thread.

#include "http/exchange/request_context.hpp"

namespace parley::http {

/// A body with patterns and more bytes, escapes undone, is taken to hold such: a character may come to ten instructions.
inline constexpr std::size_t plain_body_bytes_max = 8 * 1024;
/// As many Unicode classes (`\p{L}`) and counted repetitions (`{20}`) stand in patterns that nobody notices, some 10 ms each.
inline constexpr int costly_pieces_max = 2;
/// A body with escapes and more bytes is taken to hold anything: to undo them in one of this size takes up to some 5 ms.
inline constexpr std::size_t undone_bytes_max = 1024 * 1024;

/// True where to check the body's patterns may take more than some 20 ms of the quarter of a second that they may take
/// together (PatternCheck). It may be wrong about a body without a pattern, which then costs a change of thread and, where others
/// have costly ones waiting, its turn among their users: up to some 0.2 s for each. Costs a copy of a body with escapes.
[[nodiscard]] bool may_hold_costly_patterns(const RequestContext& call);

}  // namespace parley::http
