#pragma once
/// The descriptors 0, 1 and 2, which everything takes for input, output and errors. Called once, by main, before anything is
/// opened.

namespace parley::app {

/// Opens /dev/null in the place of each that is closed, as some supervisors and `2>&-` leave them. Else the next file that is
/// opened gets its number, and what is meant for standard error is written into the store (I1, F46). False: that cannot be
/// done, and the process must not go on.
[[nodiscard]] bool fill_standard_descriptors();

}  // namespace parley::app
