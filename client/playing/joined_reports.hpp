#pragma once
/// Joins the reports of several suites that one command plays. They are written once, so that no suite overwrites the
/// file of another. Main thread.

#include "client/commands/reporting.hpp"
#include "client/playing/line_reporter.hpp"

namespace parley::client {

class JoinedReports {
 public:
  explicit JoinedReports(const std::vector<ReporterChoice>& choices) : lines_(choices) {}

  [[nodiscard]] LineReporter& lines() { return lines_; }
  /// `runs` are the ids of the suite's runs on the server.
  void add(const Report& report, const std::vector<std::string>& runs);
  [[nodiscard]] const std::vector<std::string>& runs() const { return runs_; }
  /// Writes all reports. `exit` is the exit code of the command.
  [[nodiscard]] Expected<Done> write(const Invocation& call, int exit, const HtmlMaker& html);

 private:
  LineReporter lines_;
  Report report_;
  std::vector<std::string> runs_;
};

}  // namespace parley::client
