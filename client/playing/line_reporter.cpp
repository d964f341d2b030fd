#include "client/playing/line_reporter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdio>

#include "client/report/report_json.hpp"
#include "client/screen/terminal.hpp"

namespace parley::client {

LineReporter::LineReporter(const std::vector<ReporterChoice>& choices) {
  for (const ReporterChoice& each : choices) {
    if (each.name != "jsonl") continue;
    if (each.file.empty()) {
      targets_.push_back({"", "", 1});
      continue;
    }
    std::error_code ignored;
    if (each.file.has_parent_path()) std::filesystem::create_directories(each.file.parent_path(), ignored);
    Target target{each.file.string(), each.file.string() + "." + std::to_string(::getpid()) + ".tmp", -1};
    target.descriptor = ::open(target.temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (target.descriptor < 0) refused_ = target.file;
    targets_.push_back(std::move(target));
  }
}

LineReporter::~LineReporter() {
  for (const Target& each : targets_) {
    if (each.file.empty() || each.descriptor < 0) continue;
    ::close(each.descriptor);
    ::unlink(each.temporary.c_str());
  }
}

void LineReporter::write(const std::string& line) {
  for (const Target& each : targets_)
    if (each.descriptor >= 0) write_text(each.descriptor, line + "\n");
}

void LineReporter::add(const ResultRow& row) {
  if (!targets_.empty()) write(result_line(row));
}

Expected<Done> LineReporter::end(const Report& report) {
  for (const RunRow& each : report.runs) write(run_line(each));
  write(end_line(report));
  for (Target& each : targets_) {
    if (each.file.empty() || each.descriptor < 0) continue;
    ::close(each.descriptor);
    each.descriptor = -1;
    if (std::rename(each.temporary.c_str(), each.file.c_str()) != 0) refused_ = each.file;
  }
  if (!refused_.empty()) return problem(ProblemKind::invalid_parameter, refused_ + " cannot be written");
  return Done{};
}

}  // namespace parley::client
