#pragma once
/// The program's exit codes other than 0 (success). Constants; docs/operating.md has the table.

namespace parley::app {

inline constexpr int exit_failed = 1;   ///< the requested action failed
inline constexpr int exit_misused = 2;  ///< invalid command line, variables or options file
/// A commit failed, so the content of the disk is unknown until a restart; or an essential actor threw an exception.
inline constexpr int exit_broken_store = 3;
inline constexpr int exit_damaged = 4;  ///< stored data is damaged

}  // namespace parley::app
