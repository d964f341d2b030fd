// GET /runs/{id}/report (A7): a run as one HTML file that makes no request.

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/exchange/page.hpp"
#include "http/report/run_report.hpp"

namespace parley::http {

Expected<Reply> get_report(const Context& context, const store::Snapshot& snapshot,
                           const RequestContext& call, const Run& run) {
  QueryReader reader(call.query);
  const std::string_view word = reader.word("transcripts", {"failed", "all", "none"});
  TRY_DONE(reader.result());
  if (call.is_interactive) return cut_short();
  ReportOptions options;
  if (word == "all") options.transcripts = ReportTranscripts::all;
  if (word == "none") options.transcripts = ReportTranscripts::none;
  options.version = context.options.version;
  options.now = context.clock.now();
  TRY(html, run_report(snapshot, run, options));
  Reply reply;
  reply.body = std::move(html);
  reply.media_type = "text/html; charset=utf-8";
  reply.fields.emplace_back("Content-Security-Policy", "sandbox allow-scripts");
  reply.fields.emplace_back("Content-Disposition",
                            "attachment; filename=\"parley-" + to_text(run.stamp.id) + ".html\"");
  return reply;
}

}  // namespace parley::http
