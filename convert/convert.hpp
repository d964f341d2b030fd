#pragma once
/// `parley convert`: reads files of other tools and writes suites, logs and a report. Offline; no code of a file is ever run.
/// One thread.

#include <string>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// A file that a conversion makes.
struct MadeFile {
  enum class Kind : std::uint8_t { suite, logs, report };
  Kind kind = Kind::suite;
  std::string path;
  std::string content;
};

/// The outcome of a conversion, before anything is written.
struct Prepared {
  std::string faults;  ///< empty: none
  std::string notes;   ///< for people
  std::vector<MadeFile> files;
  Totals totals;
  Report report;
};

/// Reads every PATH. Needs: options as the command line checks them.
[[nodiscard]] Prepared prepare(const Options& options);
/// The same with inputs that were given.
[[nodiscard]] Prepared prepare(Conversion& conversion);

/// How a verb ends: an exit code, and what it prints.
struct Ended {
  int exit_code = 0;
  std::string out;
  std::string err;
};
/// Writes the files, all or none. Exit codes 0, 1 (--strict and something was approximated or lost) and 2 (a fault).
[[nodiscard]] Ended convert(const Options& options);

inline constexpr int exit_done = 0;
inline constexpr int exit_lossy = 1;
inline constexpr int exit_faulty = 2;

}  // namespace parley::convert
