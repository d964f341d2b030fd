#pragma once
/// The bounds of the HTTP transport, each with its reason (reliability 5.5). Constants; `ServerOptions` holds
/// those that an operator may change. The namespace is `bounds`, so that `limits` keeps meaning
/// model/limits.hpp here.

#include <chrono>
#include <cstddef>

namespace parley::http::bounds {

// The head of a request. Beyond the first two: 414; beyond the others: 431.
inline constexpr std::size_t request_line_bytes_max = 8 * 1024;
inline constexpr std::size_t target_bytes_max = 4 * 1024;
inline constexpr std::size_t field_line_bytes_max = 8 * 1024;
inline constexpr std::size_t field_block_bytes_max = 16 * 1024;  ///< with every CRLF, the empty line too
inline constexpr std::size_t fields_max = 64;
/// RFC 9112 section 2.2: old clients send one empty line after a body.
inline constexpr std::size_t empty_lines_max = 1;

// A body.
inline constexpr std::size_t body_bytes_default = 8 * 1024 * 1024;  ///< D4, `--max-body`
inline constexpr std::size_t chunk_size_digits_max = 16;            ///< what fits 64 bits
inline constexpr std::size_t chunk_line_bytes_max = 256;            ///< a size with its extensions
inline constexpr std::size_t chunk_extension_bytes_max = 4 * 1024;  ///< of a whole body: nobody reads them
inline constexpr std::size_t trailer_bytes_max = 8 * 1024;
inline constexpr std::size_t trailers_max = 64;
/// Bodies of all clients that are arriving or being worked on (I63): 32 of the default limit, beside the reserve of the small.
/// A body costs the process some three times its bytes while it is read as JSON.
inline constexpr std::size_t bodies_bytes_max = 320 * 1024 * 1024;
inline constexpr std::size_t large_bodies_bytes_max = 256 * 1024 * 1024;
/// A body up to this may use the reserve too.
inline constexpr std::size_t small_body_bytes_max = 64 * 1024;
/// Of a body that nobody will read, what is taken and thrown away so that the connection can go on behind it.
inline constexpr std::size_t dropped_body_bytes_max = 64 * 1024;

// A connection.
inline constexpr std::size_t read_bytes = 64 * 1024;  ///< one read, and so what pipelining may keep waiting
/// A buffer that grew beyond this for one large request is given back after it.
inline constexpr std::size_t kept_buffer_bytes_max = 16 * 1024;
/// Bodies up to this travel in one piece with their head: a copy is cheaper than a second segment.
inline constexpr std::size_t joined_body_bytes_max = 16 * 1024;
/// Answers beyond free_answer_bytes_max whose clients have not taken them yet (F27, I63): eight of the largest pages, beside
/// the reserve for those up to medium_answer_bytes_max.
inline constexpr std::size_t answers_bytes_max = 320 * 1024 * 1024;
inline constexpr std::size_t large_answers_bytes_max = 256 * 1024 * 1024;
inline constexpr std::size_t medium_answer_bytes_max = 1024 * 1024;
/// An answer up to this is never refused: all connections together may hold as much of each.
inline constexpr std::size_t free_answer_bytes_max = 64 * 1024;
/// Of a page, what is written on a worker's thread; a longer one is left to the threads for long work (I65).
inline constexpr std::size_t page_bytes_at_once_max = 1024 * 1024;
/// Steps (a read, a request, a write) of one connection before the others of its worker get their turn (I65).
inline constexpr int steps_per_turn_max = 32;
/// After so long an answer is a wait, and the client may have left meanwhile.
inline constexpr std::chrono::seconds long_answer{1};
/// Bytes discarded of a client that goes on sending after an answer that closes.
inline constexpr std::size_t linger_bytes_max = 16 * 1024 * 1024;

// A server.
inline constexpr int backlog = 4096;
inline constexpr std::size_t connections_default = 12'000;
/// Connections beyond the cap that still get a 503 through a worker; the next ones are closed unanswered.
inline constexpr std::size_t refusals_max = 256;
inline constexpr unsigned threads_max = 64;
/// What those who still wait at the end of a drain are told may take so long to leave.
inline constexpr std::chrono::milliseconds last_answers{1'000};

}  // namespace parley::http::bounds
