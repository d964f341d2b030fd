#pragma once
/// The bounds of the HTTP transport, each with its reason. Constants; `ServerOptions` holds the bounds that an
/// operator can change. The namespace is `bounds`, so that `limits` still means model/limits.hpp here.

#include <chrono>
#include <cstddef>

namespace parley::http::bounds {

// The head of a request. Exceeding the first two bounds is answered with 414, exceeding the others with 431.
inline constexpr std::size_t request_line_bytes_max = 8 * 1024;
inline constexpr std::size_t target_bytes_max = 4 * 1024;
inline constexpr std::size_t field_line_bytes_max = 8 * 1024;
inline constexpr std::size_t field_block_bytes_max = 16 * 1024;  ///< including all CRLFs and the empty line
inline constexpr std::size_t fields_max = 64;
/// RFC 9112 section 2.2: old clients send one empty line after a body.
inline constexpr std::size_t empty_lines_max = 1;

// A body.
inline constexpr std::size_t body_bytes_default = 8 * 1024 * 1024;  ///< D4, `--max-body`
inline constexpr std::size_t chunk_size_digits_max = 16;            ///< the most that fit into 64 bits
inline constexpr std::size_t chunk_line_bytes_max = 256;            ///< a size with its extensions
/// total for a whole body; extensions are ignored
inline constexpr std::size_t chunk_extension_bytes_max = 4 * 1024;
inline constexpr std::size_t trailer_bytes_max = 8 * 1024;
inline constexpr std::size_t trailers_max = 64;
/// Bodies of all clients that are being received or processed (I63), counted as their bytes arrive: 32 bodies of the
/// default limit, plus the reserve for small bodies. Parsing a body as JSON takes about three times its size.
inline constexpr std::size_t bodies_bytes_max = 320 * 1024 * 1024;
inline constexpr std::size_t large_bodies_bytes_max = 256 * 1024 * 1024;
/// The limit for one user: half of it, so that one client with many connections leaves room for others.
inline constexpr std::size_t bodies_of_user_bytes_max = 128 * 1024 * 1024;
/// Up to this size a body is parsed on a worker thread. A longer body may contain a million values, which take a
/// quarter of a second, and is parsed on a separate thread.
inline constexpr std::size_t body_bytes_at_once_max = 256 * 1024;
/// A body up to this size may also use the reserve.
inline constexpr std::size_t small_body_bytes_max = 64 * 1024;
/// The most bytes of an unneeded body that are read and discarded to keep the connection open after it.
inline constexpr std::size_t dropped_body_bytes_max = 64 * 1024;

// A connection.
/// size of one read, and therefore the bound for pipelined bytes
inline constexpr std::size_t read_bytes = 64 * 1024;
/// A buffer that grew beyond this size for one large request is released after it.
inline constexpr std::size_t kept_buffer_bytes_max = 16 * 1024;
/// Bodies up to this size are sent together with their head: a copy is cheaper than a second segment.
inline constexpr std::size_t joined_body_bytes_max = 16 * 1024;
/// Answers above free_answer_bytes_max that their clients have not read yet (F27, I63): eight of the largest pages,
/// plus the reserve for answers up to medium_answer_bytes_max.
inline constexpr std::size_t answers_bytes_max = 320 * 1024 * 1024;
inline constexpr std::size_t large_answers_bytes_max = 256 * 1024 * 1024;
inline constexpr std::size_t medium_answer_bytes_max = 1024 * 1024;
/// An answer up to this size is never refused: every connection may hold one.
inline constexpr std::size_t free_answer_bytes_max = 64 * 1024;
/// The most bytes of a page that are rendered on a worker thread; a longer page is rendered on a background thread
/// (I65).
inline constexpr std::size_t page_bytes_at_once_max = 1024 * 1024;
/// Unsent bytes of one event stream; the server disconnects a client that reads more slowly.
inline constexpr std::size_t stream_bytes_max = 256 * 1024;
/// The most steps (a read, a request, a write) of one connection before its worker serves the others (I65).
inline constexpr int steps_per_turn_max = 32;
/// After this time the client of an unanswered request may have left.
inline constexpr std::chrono::seconds long_answer{1};
/// The most bytes discarded from a client that keeps sending after an answer that closes the connection.
inline constexpr std::size_t linger_bytes_max = 16 * 1024 * 1024;

// A server.
inline constexpr int backlog = 4096;
inline constexpr std::size_t connections_default = 12'000;
/// Connections above the limit that a worker answers with 503; any more are closed without an answer.
inline constexpr std::size_t refusals_max = 256;
inline constexpr unsigned threads_max = 64;
/// The time to send the last 503 answers at the end of a drain.
inline constexpr std::chrono::milliseconds last_answers{1'000};

}  // namespace parley::http::bounds
