#include "client/playing/joined_reports.hpp"

namespace parley::client {

void JoinedReports::add(const Report& report, const std::vector<std::string>& runs) {
  join(report_, report);
  runs_.insert(runs_.end(), runs.begin(), runs.end());
}

Expected<Done> JoinedReports::write(const Invocation& call, int exit, const HtmlMaker& html) {
  if (report_.parley.empty()) return Done{};
  report_.exit = exit;
  TRY_DONE(lines_.end(report_));
  return write_reports(call, report_, {}, html);
}

}  // namespace parley::client
