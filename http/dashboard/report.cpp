// GET /runs/{id}/report: one or more runs as a single HTML file that loads nothing from the network.

#include <algorithm>

#include "http/dashboard/dashboard_handlers.hpp"
#include "http/lists/page.hpp"
#include "http/report/run_report.hpp"

namespace parley::http {
namespace {

constexpr std::size_t further_runs_max = 99;

/// The run from the path, then the runs that `with` names, without duplicates.
Expected<std::vector<Run>> runs_of(const store::Snapshot& snapshot, QueryReader& reader, const Run& first) {
  std::vector<Run> runs{first};
  std::string_view rest;
  const auto with = reader.text("with");
  if (with) rest = *with;
  while (!rest.empty()) {
    const auto comma = std::min(rest.find(','), rest.size());
    const auto id = id_from_text(rest.substr(0, comma));
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    std::optional<Run> found;
    if (id) {
      TRY(run, snapshot.find<Run>(*id));
      found = std::move(run);
    }
    if (!found || runs.size() > further_runs_max) {
      reader.fault("with", "must be at most 99 ids of runs, separated by commas");
      break;
    }
    const bool is_new = std::none_of(runs.begin(), runs.end(),
                                     [&](const Run& each) { return each.stamp.id == found->stamp.id; });
    if (is_new) runs.push_back(std::move(*found));
  }
  return runs;
}

}  // namespace

Expected<Reply> get_report(const Context& context, const store::Snapshot& snapshot,
                           const RequestContext& call, const Run& run) {
  QueryReader reader(call.query);
  const std::string_view word = reader.word("transcripts", {"failed", "all", "none"});
  TRY(runs, runs_of(snapshot, reader, run));
  TRY_DONE(reader.result());
  if (call.is_interactive) return cut_short();
  ReportOptions options;
  if (word == "all") options.transcripts = ReportTranscripts::all;
  if (word == "none") options.transcripts = ReportTranscripts::none;
  options.version = context.options.version;
  options.now = context.clock.now();
  TRY(html, run_report(snapshot, runs, options));
  Reply reply;
  reply.body = std::move(html);
  reply.media_type = "text/html; charset=utf-8";
  reply.fields.emplace_back("Content-Security-Policy", "sandbox allow-scripts");
  reply.fields.emplace_back("Content-Disposition",
                            "attachment; filename=\"parley-" + to_text(run.stamp.id) + ".html\"");
  return reply;
}

}  // namespace parley::http
