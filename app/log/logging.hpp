#pragma once
/// The log: events with fields, one per line, to standard error or a file, as text or JSON. Set up once by the main
/// thread; afterwards any thread may use spdlog. A log that cannot be written, or that no process reads, never stops
/// the server (F46): the log loses lines and counts them.

#include <chrono>
#include <cstdint>

#include "app/options/config.hpp"
#include "model/expected.hpp"

namespace parley::app {

/// How long the end of the process waits until the last lines are written.
inline constexpr std::chrono::milliseconds last_lines_timeout{100};

/// After this call, a background thread writes spdlog's lines. Waiting lines are written before abort() or a fatal
/// signal ends the process.
/// Problem: the file of --log-file cannot be opened; the log then goes to standard error.
[[nodiscard]] Expected<Done> start_log(const Config& config);

/// Reopens the file of --log-file (SIGHUP), so that a rotated file can be removed. If that fails, the log continues
/// in the old file and reports the failure. Thread: main.
void reopen_log();

/// Waits, at most `at_most`, until the lines logged so far are written. Called before every end of the process. May
/// also be called in signal handlers and before start_log().
void flush_log(std::chrono::milliseconds at_most = last_lines_timeout) noexcept;

/// The number of lines lost since the start.
[[nodiscard]] std::uint64_t log_lines_lost() noexcept;

}  // namespace parley::app
