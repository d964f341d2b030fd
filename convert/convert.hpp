#pragma once
/// `parley convert`: reads files of other tools and writes suites, logs and a report. Works offline and never runs code
/// from a file. One thread.

#include <string>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// An output file of a conversion.
struct MadeFile {
  enum class Kind : std::uint8_t { suite, logs, report };
  Kind kind = Kind::suite;
  std::string path;
  std::string content;
};

/// The result of a conversion before anything is written.
struct Prepared {
  std::string faults;  ///< empty: no faults
  std::string notes;   ///< for people
  std::vector<MadeFile> files;
  Totals totals;
  Report report;
};

/// Reads every PATH. Needs: options that the command line has validated.
[[nodiscard]] Prepared prepare(const Options& options);
/// The same for a conversion that the caller created, whose inputs may come from `Inputs::give`.
[[nodiscard]] Prepared prepare(Conversion& conversion);

/// The result of a verb: its exit code and its output.
struct Ended {
  int exit_code = 0;
  std::string out;
  std::string err;
};
/// Writes all files or none, as `convert` does, with the names that the caller may have changed.
[[nodiscard]] Ended write(Prepared&& prepared, const Options& options);
/// Prepares the files and writes all or none. Exit codes: 0, 1 (--strict and something was approximated or lost) and 2 (a fault).
[[nodiscard]] Ended convert(const Options& options);

inline constexpr int exit_done = 0;
inline constexpr int exit_lossy = 1;
inline constexpr int exit_faulty = 2;

}  // namespace parley::convert
