#pragma once
/// The log: events with fields, one per line, to standard error or a file, as text or JSON. Set up once by the main thread;
/// afterwards any thread may use spdlog. A log that cannot be written, or that no process reads, never stops
/// the server (F46): the log loses lines and counts them.

#include <chrono>
#include <cstdint>

#include "app/options/config.hpp"
#include "model/expected.hpp"

namespace parley::app {

/// How long the end of the process waits for the last lines to be written.
inline constexpr std::chrono::milliseconds last_lines_timeout{100};

/// From here on a background thread writes spdlog's lines. Lines that wait are written before abort() or a
/// fault ends the process.
/// Problem: the file of --log-file cannot be opened; the log goes to standard error then.
[[nodiscard]] Expected<Done> start_log(const Config& config);

/// Reopens the file of --log-file (SIGHUP), so that a rotated one can be removed; if that fails, the log continues in
/// the old file and reports that. Thread: the main thread's.
void reopen_log();

/// Waits until the lines logged so far are written, at most `at_most`. Called before each end of the process.
/// Also allowed in signal handlers and before start_log().
void flush_log(std::chrono::milliseconds at_most = last_lines_timeout) noexcept;

/// Lines lost since the start.
[[nodiscard]] std::uint64_t log_lines_lost() noexcept;

}  // namespace parley::app
