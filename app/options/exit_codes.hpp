#pragma once
/// What the program's exit code says, but for 0: all is well. Constants; docs/operating.md has the table.

namespace parley::app {

inline constexpr int exit_failed = 1;   ///< what was asked for could not be done
inline constexpr int exit_misused = 2;  ///< command line, variables or file of options are wrong
inline constexpr int exit_broken_store =
    3;  ///< a commit failed, and what is on disk is unknown until a restart; or an actor threw that nothing goes on without
inline constexpr int exit_damaged = 4;  ///< something stored is not what was written

}  // namespace parley::app
