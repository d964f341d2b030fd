#pragma once
/// Guesses from the text of a body, before it is parsed, whether checking its regular expressions is costly. The text is read
/// with its escapes undone, so that no spelling (`r\u0065gex`, `if \/`) hides a pattern and a common escape (`\u00f6`,
/// `https:\/\/`) is not mistaken for one. Pure; the connection's thread.

#include "http/exchange/request_context.hpp"

namespace parley::http {

/// A body with patterns and more bytes, escapes undone, is treated as costly: one character may compile to ten instructions.
inline constexpr std::size_t plain_body_bytes_max = 8 * 1024;
/// The most Unicode classes (`\p{L}`) and counted repetitions (`{20}`) of a body that is not costly; some 10 ms each.
inline constexpr int costly_pieces_max = 2;
/// A larger body with escapes is always treated as costly: undoing the escapes of this many bytes takes up to 5 ms.
inline constexpr std::size_t undone_bytes_max = 1024 * 1024;

/// True if checking the body's patterns may take more than 20 ms; PatternCheck allows a quarter of a second. It may be wrong about
/// a body without a pattern, which then changes threads and, while costly bodies of others wait, waits for its turn among their
/// users: up to some 0.2 s for each. Copies a body with escapes.
[[nodiscard]] bool may_hold_costly_patterns(const RequestContext& call);

}  // namespace parley::http
