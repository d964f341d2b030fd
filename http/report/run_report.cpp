#include "http/report/run_report.hpp"

#include <algorithm>
#include <map>

#include "http/protocol/gzip.hpp"
#include "http/report/html_text.hpp"
#include "http/report/report_table.hpp"
#include "http/ui_assets/ui_assets.hpp"
#include "http/views/cells_json.hpp"
#include "http/views/failure_groups.hpp"
#include "http/views/result_view.hpp"
#include "http/views/run_view.hpp"
#include "model/json/json_writer.hpp"
#include "model/records/agent.hpp"
#include "model/records/scenario.hpp"

namespace parley::http {
namespace {

/// The number of passed results of one test that are listed before the rest.
constexpr std::size_t examples_of_test = 3;

bool is_passed(const Cell& cell) {
  return cell.state == 'p';
}

/// A run with its cells.
struct RunOfReport {
  const Run& run;
  RunCells cells;
};

/// The cells whose transcripts are included, the most important first.
std::vector<const Cell*> wanted_cells(const std::vector<RunOfReport>& runs, ReportTranscripts which) {
  std::vector<const Cell*> first, examples, rest;
  if (which == ReportTranscripts::none) return first;
  for (const RunOfReport& each : runs) {
    std::map<std::size_t, std::size_t> of_row;
    for (const Cell& cell : each.cells.cells) {
      if (!is_passed(cell)) {
        first.push_back(&cell);
      } else if (which == ReportTranscripts::all) {
        (++of_row[cell.row] <= examples_of_test ? examples : rest).push_back(&cell);
      }
    }
  }
  const auto rank = [](const Cell* cell) { return std::string_view("faetjciuq").find(cell->state); };
  std::stable_sort(first.begin(), first.end(),
                   [&](const Cell* a, const Cell* b) { return rank(a) < rank(b); });
  first.insert(first.end(), examples.begin(), examples.end());
  first.insert(first.end(), rest.begin(), rest.end());
  return first;
}

/// The blocks that fit into `room`, and the results whose transcripts do not fit.
struct Blocks {
  std::string html;
  std::vector<Id> left_out;
};

Expected<Blocks> blocks_of(const store::Snapshot& snapshot, const std::vector<const Cell*>& cells,
                           std::size_t room) {
  Blocks blocks;
  for (const Cell* cell : cells) {
    const Id& id = cell->head->stamp.id;
    if (blocks.html.size() >= room) {
      blocks.left_out.push_back(id);
      continue;
    }
    TRY(json, result_json(snapshot, *cell->head));
    std::string block = "<script type=\"application/octet-stream\" id=\"transcript-" + to_text(id) + "\">" +
                        base64(gzipped(json)) + "</script>\n";
    if (blocks.html.size() + block.size() > room) {
      blocks.left_out.push_back(id);
    } else {
      blocks.html += block;
    }
  }
  return blocks;
}

Expected<Done> write_run_of_index(json::Writer& out, const store::Snapshot& snapshot,
                                  const RunOfReport& each) {
  TRY(shown, run_json(snapshot, each.run));
  TRY(columns, cells_json(snapshot, each.run, each.cells, 0));
  TRY(failures, failure_groups_json(snapshot, each.run, each.cells));
  out.key("run").raw(shown).key("cells").raw(columns).key("failures").raw(failures);
  return Done{};
}

/// Writes the first run at the top, and the other runs in `others`.
Expected<std::string> index_json(const store::Snapshot& snapshot, const std::vector<RunOfReport>& runs,
                                 const ReportOptions& options, const std::vector<Id>& left_out) {
  json::Writer out;
  out.begin_object().member("version", options.version).member("createdAt", to_text(options.now));
  TRY_DONE(write_run_of_index(out, snapshot, runs.front()));
  out.key("others").begin_array();
  for (std::size_t i = 1; i < runs.size(); ++i) {
    out.begin_object();
    TRY_DONE(write_run_of_index(out, snapshot, runs[i]));
    out.end_object();
  }
  out.end_array().key("leftOut").begin_array();
  for (const Id& id : left_out) out.string(to_text(id));
  out.end_array().end_object();
  return json_in_html(out.peek());
}

std::string note_of(const std::vector<Id>& left_out, ReportTranscripts which) {
  if (which == ReportTranscripts::none) return "<p class=\"muted\">This report has no transcripts.</p>\n";
  if (left_out.empty()) return {};
  return "<p class=\"muted\" data-part=\"left-out\">" + std::to_string(left_out.size()) +
         " transcripts are left out, because a report has at most 10 MiB. The server has them.</p>\n";
}

/// The policy of the file allows its own script and styles, and no request.
std::string policy_of(std::string_view plain_style) {
  std::string policy = "default-src 'none'; style-src " + csp_hash(plain_style);
  if (!report_script().empty()) {
    policy += " " + csp_hash(report_style()) + "; script-src " + csp_hash(report_script()) +
              "; require-trusted-types-for 'script'; trusted-types 'none'";
  }
  return policy + "; img-src data:; base-uri 'none'; form-action 'none'";
}

/// The views of the page (ui/src/report.tsx), which replace the table if scripts are enabled.
std::string views() {
  if (report_script().empty()) return {};
  return "<style>" + report_style() + "</style>\n<script>" + report_script() + "</script>\n";
}

std::string document(const std::string& title, const std::string& body, const std::string& blocks) {
  const std::string style(report_table_style());
  return "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
         "<meta http-equiv=\"Content-Security-Policy\" content=\"" +
         policy_of(style) +
         "\">\n<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
         "<meta name=\"referrer\" content=\"no-referrer\">\n"
         "<link rel=\"icon\" href=\"data:,\">\n<title>" +
         html_text(title) + "</title>\n<style id=\"report-plain\">" + style +
         "</style></head>\n<body>\n<main id=\"report\">\n" + body + "</main>\n" + blocks + views() +
         "</body></html>\n";
}

struct Tables {
  std::string title;  ///< title of the document
  std::string html;
};

Expected<Tables> tables_of(const store::Snapshot& snapshot, const std::vector<RunOfReport>& runs) {
  Tables tables;
  for (const RunOfReport& each : runs) {
    TRY(scenario, snapshot.find<Scenario>(each.run.scenario.id));
    TRY(agent, snapshot.find<Agent>(each.run.agent.id));
    const std::string title = scenario ? scenario->name : "A run";
    if (tables.title.empty()) tables.title = title;
    TRY(table, report_table({snapshot, each.run, each.cells, title, agent ? agent->name : ""}));
    tables.html += table;
  }
  return tables;
}

}  // namespace

Expected<std::string> run_report(const store::Snapshot& snapshot, const std::vector<Run>& runs,
                                 const ReportOptions& options) {
  CHECK(!runs.empty());
  std::vector<RunOfReport> all;
  for (const Run& run : runs) {
    TRY(cells, cells_of(snapshot, run));
    all.push_back({run, std::move(cells)});
  }
  TRY(tables, tables_of(snapshot, all));
  TRY(index, index_json(snapshot, all, options, {}));
  const std::size_t taken = tables.html.size() + index.size() + views().size();
  const std::size_t room = taken < report_bytes_max ? report_bytes_max - taken : 0;
  TRY(blocks, blocks_of(snapshot, wanted_cells(all, options.transcripts), room));
  TRY(whole_index, index_json(snapshot, all, options, blocks.left_out));
  return document(
      tables.title, tables.html + note_of(blocks.left_out, options.transcripts),
      "<script type=\"application/json\" id=\"report-index\">" + whole_index + "</script>\n" + blocks.html);
}

}  // namespace parley::http
