#pragma once
/// The reporter `jsonl`: writes each line as its result ends, to a temporary file that is renamed at the end. Main
/// thread.

#include <memory>
#include <string>
#include <vector>

#include "client/report/reporters.hpp"

namespace parley::client {

class LineReporter {
 public:
  explicit LineReporter(const std::vector<ReporterChoice>& choices);
  LineReporter(const LineReporter&) = delete;
  LineReporter& operator=(const LineReporter&) = delete;
  ~LineReporter();

  void add(const ResultRow& row);
  /// Writes the runs and the last line, and renames the files. Problem: a file cannot be written.
  [[nodiscard]] Expected<Done> end(const Report& report);

 private:
  struct Target {
    std::string file;  ///< empty: standard output
    std::string temporary;
    int descriptor = 1;
  };
  void write(const std::string& line);
  void refuse(Target& target, int error);

  std::vector<Target> targets_;
  std::string refused_;  ///< the file that cannot be written, and why; empty: none
};

}  // namespace parley::client
