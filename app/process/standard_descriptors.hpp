#pragma once
/// The descriptors 0, 1 and 2, which all code treats as input, output and errors. Called once by main, before
/// any file is opened.

namespace parley::app {

/// Opens /dev/null for each of them that is closed, as some supervisors and `2>&-` leave them. Otherwise the
/// next file would get its number, and messages for standard error would be written into the store (I1, F46).
/// False: that failed, and the process must not continue.
[[nodiscard]] bool fill_standard_descriptors();

}  // namespace parley::app
