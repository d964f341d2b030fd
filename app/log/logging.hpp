#pragma once
/// The log: lines of events with fields, to stderr, as text or JSON. Set up once on the main thread; spdlog is safe from
/// any thread afterwards. A log that cannot be written, or that nobody reads, never stops the server (F46): it loses lines, and
/// counts them.

#include <chrono>
#include <cstdint>

#include "app/options/config.hpp"

namespace parley::app {

/// What an end of the process waits for its last lines: where these are not taken by then, nobody reads them.
inline constexpr std::chrono::milliseconds last_lines_moment{100};

/// From here on spdlog's lines wait for a thread of their own that writes them. Before abort() or a fault ends the process,
/// those that wait are written.
void start_log(const Config& config);

/// Waits until what was logged is written, or the moment is over. Called before each end of the process; also where a
/// signal is handled, and without start_log().
void flush_log(std::chrono::milliseconds at_most = last_lines_moment) noexcept;

/// Lines that were lost since the start.
[[nodiscard]] std::uint64_t log_lines_lost() noexcept;

}  // namespace parley::app
