#include "client/playing/line_reporter.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <utility>

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
    if (target.descriptor < 0) refuse(target, errno);
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

void LineReporter::refuse(Target& target, int error) {
  refused_ = target.file + " cannot be written: " + std::strerror(error);
  if (target.descriptor >= 0) ::close(target.descriptor);
  target.descriptor = -1;
  ::unlink(target.temporary.c_str());
}

void LineReporter::write(const std::string& line) {
  for (Target& each : targets_)
    if (each.descriptor >= 0 && !write_text(each.descriptor, line + "\n") && !each.file.empty())
      refuse(each, errno);
}

void LineReporter::add(const ResultRow& row) {
  if (!targets_.empty()) write(result_line(row));
}

Expected<Done> LineReporter::end(const Report& report) {
  for (const RunRow& each : report.runs) write(run_line(each));
  write(end_line(report));
  for (Target& each : targets_) {
    if (each.file.empty() || each.descriptor < 0) continue;
    // Some file systems report a full disk only when the file is closed.
    const bool is_whole = ::close(std::exchange(each.descriptor, -1)) == 0;
    if (!is_whole || std::rename(each.temporary.c_str(), each.file.c_str()) != 0) refuse(each, errno);
  }
  if (!refused_.empty()) return problem(ProblemKind::invalid_parameter, refused_);
  return Done{};
}

}  // namespace parley::client
