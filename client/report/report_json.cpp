#include "client/report/report_json.hpp"

#include <algorithm>
#include <cmath>

#include "client/remote/api.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

/// Rounds money and seconds, so that no noise of binary fractions is written.
double rounded(double value, int decimals) {
  const double scale = std::pow(10.0, decimals);
  return std::round(value * scale) / scale;
}

void write_number(json::Writer& out, std::string_view key, double value, int decimals) {
  out.key(key).number(rounded(value, decimals));
}

void write_optional(json::Writer& out, std::string_view key, const std::optional<double>& value) {
  out.key(key);
  if (value) {
    out.number(rounded(*value, 6));
  } else {
    out.null();
  }
}

json::Writer& begin_line(json::Writer& out, std::string_view type, bool has_version) {
  out.begin_object();
  if (has_version) out.key("v").integer(1);
  return out.member("type", type);
}

void write_assertion(json::Writer& out, const AssertionRow& assertion) {
  out.begin_object()
      .member("id", assertion.id)
      .member_or_null("name", assertion.name.empty() ? std::nullopt : std::optional(assertion.name))
      .member("type", assertion.type)
      .member("severity", severity_of(assertion.level))
      .member("level", word_of(assertion.level))
      .key("weight")
      .number(assertion.weight)
      .member("status", assertion.status)
      .member("reason", assertion.reason)
      .key("evidence")
      .begin_array();
  for (const std::string& each : assertion.evidence) out.string(each);
  out.end_array().end_object();
}

void write_fault_of(json::Writer& out, const ResultRow& result) {
  out.key("fault");
  if (!result.fault) {
    out.null();
    return;
  }
  out.begin_object()
      .member("source", result.fault->source)
      .member("code", result.fault->code)
      .member("detail", result.fault->detail)
      .end_object();
}

void write_warnings(json::Writer& out, const std::vector<WarningRow>& warnings) {
  out.key("warnings").begin_array();
  for (const WarningRow& each : warnings)
    out.begin_object().member("code", each.code).member("detail", each.detail).end_object();
  out.end_array();
}

void write_result(json::Writer& out, const ResultRow& result, bool has_version) {
  begin_line(out, "result", has_version)
      .member("id", result.id)
      .member("run", result.run)
      .member("test", result.test)
      .member("name", result.name)
      .member("scenario", result.scenario)
      .member_or_null("variant", result.variant)
      .member("agent", result.agent)
      .member_or_null("persona", result.persona)
      .key("fields")
      .raw(result.fields)
      .key("repetition")
      .integer(result.repetition);
  if (!result.file.empty()) out.member("file", result.file).key("line").integer(result.line);
  out.member("state", word_of(result.state));
  write_fault_of(out, result);
  out.key("score").integer(result.score).key("turns").integer(result.turns);
  write_number(out, "seconds", result.seconds, 3);
  write_number(out, "usd", result.usd, 6);
  if (!result.review.empty()) out.member("review", result.review);
  if (!result.warnings.empty()) write_warnings(out, result.warnings);
  out.key("assertions").begin_array();
  for (const AssertionRow& each : result.assertions) write_assertion(out, each);
  out.end_array().end_object();
}

void write_run(json::Writer& out, const RunRow& run, bool has_version) {
  begin_line(out, "run", has_version)
      .member("id", run.id)
      .member("agent", run.agent)
      .member("scenario", run.scenario)
      .member("status", run.status);
  write_optional(out, "passRate", run.pass_rate);
  out.key("interval")
      .begin_array()
      .number(rounded(run.interval.low, 6))
      .number(rounded(run.interval.high, 6));
  out.end_array();
  write_number(out, "coverage", run.coverage, 6);
  if (!run.part.empty()) out.member("part", run.part);
  out.end_object();
}

void write_head(json::Writer& out, const Report& report) {
  const Counts counts = counts_of(report.results);
  begin_line(out, "report", true)
      .member("parley", report.parley)
      .member("project", report.project)
      .member("startedAt", report.started_at);
  write_number(out, "seconds", report.seconds, 3);
  out.key("exit")
      .integer(report.exit)
      .member("decision", word_of(report.decision))
      .key("reasons")
      .begin_array();
  for (const std::string& each : report.reasons) out.string(each);
  out.end_array();
  if (!report.empty_parts.empty()) out.member("part", report.empty_parts.front());
  write_number(out, "usd", report.usd.total(), 6);
  out.key("costs").begin_object();
  write_number(out, "agent", report.usd.agent, 6);
  write_number(out, "tester", report.usd.tester, 6);
  write_number(out, "judge", report.usd.judge, 6);
  out.end_object().key("counts").begin_object();
  out.key("cases")
      .integer(counts.cases)
      .key("passed")
      .integer(counts.passed)
      .key("failed")
      .integer(counts.failed);
  out.key("undecided").integer(counts.undecided).key("faults").integer(counts.faults);
  out.key("canceled").integer(counts.canceled).key("missing").integer(counts.missing).end_object();
}

std::optional<std::string> optional_text(const json::Value& object, std::string_view key) {
  const auto found = json::given(object, key);
  return found && found->is(json::Kind::string) ? std::optional(std::string(found->string())) : std::nullopt;
}

ResultRow result_from(const json::Value& value) {
  ResultRow row;
  row.id = text_at(value, "id");
  row.run = text_at(value, "run");
  row.test = text_at(value, "test");
  row.name = text_at(value, "name");
  row.scenario = text_at(value, "scenario");
  row.variant = optional_text(value, "variant");
  row.agent = text_at(value, "agent");
  row.persona = optional_text(value, "persona");
  if (const auto fields = json::given(value, "fields"); fields && fields->is(json::Kind::object))
    row.fields = fields->compact().text;
  row.repetition = integer_at(value, "repetition");
  row.file = text_at(value, "file");
  row.line = integer_at(value, "line");
  row.state = case_state_of(text_at(value, "state")).value_or(CaseState::missing);
  if (const auto fault = json::given(value, "fault"); fault && fault->is(json::Kind::object))
    row.fault = CaseFault{text_at(*fault, "source"), text_at(*fault, "code"), text_at(*fault, "detail")};
  row.score = integer_at(value, "score");
  row.turns = integer_at(value, "turns");
  row.seconds = number_at(value, "seconds").value_or(0);
  row.usd = number_at(value, "usd").value_or(0);
  row.review = text_at(value, "review");
  row.warnings = warning_rows_of(value);
  for (const json::Value& each : items_of(value, "assertions"))
    row.assertions.push_back(assertion_row_of(each));
  return row;
}

RunRow run_from(const json::Value& value) {
  RunRow row{text_at(value, "id"),
             text_at(value, "agent"),
             text_at(value, "scenario"),
             text_at(value, "status"),
             number_at(value, "passRate"),
             {},
             number_at(value, "coverage").value_or(0),
             text_at(value, "part")};
  const auto interval = items_of(value, "interval");
  if (interval.size() == 2 && interval[0].is(json::Kind::number) && interval[1].is(json::Kind::number))
    row.interval = {interval[0].number(), interval[1].number()};
  return row;
}

/// Joins the report of a shard: costs and reasons are added; the earliest start, the longest time and the highest
/// exit code are kept.
void join_head(Report& joined, const json::Value& value) {
  const std::string decision = text_at(value, "decision");
  const bool is_first = joined.parley.empty();
  if (is_first && decision == "green") joined.decision = Decision::green;
  if (!is_first && decision != "green" && joined.decision == Decision::green)
    joined.decision = Decision::undecided;
  if (decision == "red") joined.decision = Decision::red;
  if (joined.parley.empty()) joined.parley = text_at(value, "parley");
  if (joined.project.empty()) joined.project = text_at(value, "project");
  const std::string started = text_at(value, "startedAt");
  if (joined.started_at.empty() || (!started.empty() && started < joined.started_at))
    joined.started_at = started;
  if (std::string part = text_at(value, "part"); !part.empty()) joined.empty_parts.push_back(std::move(part));
  joined.seconds = std::max(joined.seconds, number_at(value, "seconds").value_or(0));
  for (const json::Value& each : items_of(value, "reasons"))
    if (each.is(json::Kind::string)) joined.reasons.emplace_back(each.string());
  if (const auto costs = json::given(value, "costs"); costs) {
    joined.usd.agent += number_at(*costs, "agent").value_or(0);
    joined.usd.tester += number_at(*costs, "tester").value_or(0);
    joined.usd.judge += number_at(*costs, "judge").value_or(0);
  }
  joined.exit = std::max(joined.exit, static_cast<int>(integer_at(value, "exit")));
}

/// What the report lines of one text promise.
struct Promise {
  std::size_t reports = 0;
  std::optional<Counts> counts;  ///< of these and all earlier texts; nullopt: a report line has no counts
};

void add(Promise& promise, const json::Value& line) {
  ++promise.reports;
  const auto counts = json::given(line, "counts");
  if (!counts) promise.counts.reset();
  if (!promise.counts) return;
  Counts& sum = *promise.counts;
  sum.cases += integer_at(*counts, "cases");
  sum.passed += integer_at(*counts, "passed");
  sum.failed += integer_at(*counts, "failed");
  sum.undecided += integer_at(*counts, "undecided");
  sum.faults += integer_at(*counts, "faults");
  sum.canceled += integer_at(*counts, "canceled");
  sum.missing += integer_at(*counts, "missing");
}

/// Returns what the text lacks; empty if its results are those that its report lines count.
std::string gap_of(const Promise& promise, const Counts& before, const Counts& after) {
  if (promise.reports == 0)
    return "no line has the type report: the file was cut off, or its run did not end";
  if (!promise.counts || *promise.counts == after) return "";
  if (promise.counts->cases == after.cases) return "its results differ from the counts of its report line";
  return "it has " + std::to_string(after.cases - before.cases) + " of the " +
         std::to_string(promise.counts->cases - before.cases) + " results that its report line counts";
}

void join(Report& joined, const json::Value& value, Promise& promise) {
  const std::string type = text_at(value, "type");
  if (type == "result") joined.results.push_back(result_from(value));
  if (type == "run") joined.runs.push_back(run_from(value));
  if (type != "report") return;
  join_head(joined, value);
  add(promise, value);
  for (const json::Value& each : items_of(value, "runs")) joined.runs.push_back(run_from(each));
  for (const json::Value& each : items_of(value, "results")) joined.results.push_back(result_from(each));
}

/// Adds a document or lines to the report. A last line that was cut off is a gap.
Expected<Done> join_text(Report& joined, std::string_view text, Promise& promise) {
  if (const auto whole = json::parse(text); whole && whole->root().is(json::Kind::object)) {
    join(joined, whole->root(), promise);
    return Done{};
  }
  std::size_t number = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    const bool is_ended = end < text.size();
    text.remove_prefix(std::min(end + 1, text.size()));
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string_view::npos) continue;
    const auto parsed = json::parse(line);
    const bool is_cut = !parsed && text.empty() && !is_ended && line.starts_with('{');
    if (is_cut && !joined.results.empty()) {
      if (promise.reports > 0) joined.gaps.emplace_back("its last line was cut off");
      return Done{};
    }
    if (!parsed || !parsed->root().is(json::Kind::object))
      return problem(ProblemKind::invalid_json, "line " + std::to_string(number) + ": must be a JSON object");
    join(joined, parsed->root(), promise);
  }
  return Done{};
}

}  // namespace

std::vector<json::Value> items_of(const json::Value& object, std::string_view key) {
  const auto found = json::given(object, key);
  return found && found->is(json::Kind::array) ? found->children() : std::vector<json::Value>{};
}

AssertionRow assertion_row_of(const json::Value& value) {
  AssertionRow row;
  row.id = text_at(value, "id");
  row.name = text_at(value, "name");
  row.type = text_at(value, "type");
  row.level = level_of_severity(text_at(value, "severity"));
  row.weight = number_at(value, "weight").value_or(1);
  row.status = text_at(value, "status");
  row.reason = text_at(value, "reason");
  for (const json::Value& each : items_of(value, "evidence"))
    if (each.is(json::Kind::string)) row.evidence.emplace_back(each.string());
  return row;
}

std::vector<WarningRow> warning_rows_of(const json::Value& result) {
  std::vector<WarningRow> rows;
  for (const json::Value& each : items_of(result, "warnings"))
    rows.push_back({text_at(each, "code"), text_at(each, "detail")});
  return rows;
}

std::string report_document(const Report& report) {
  json::Writer out;
  write_head(out, report);
  out.key("runs").begin_array();
  for (const RunRow& each : report.runs) write_run(out, each, false);
  out.end_array().key("results").begin_array();
  for (const ResultRow& each : report.results) write_result(out, each, false);
  out.end_array().end_object();
  return std::move(out).text() + "\n";
}

std::string result_line(const ResultRow& result) {
  json::Writer out;
  write_result(out, result, true);
  return std::move(out).text();
}

std::string run_line(const RunRow& run) {
  json::Writer out;
  write_run(out, run, true);
  return std::move(out).text();
}

std::string end_line(const Report& report) {
  json::Writer out;
  write_head(out, report);
  out.end_object();
  return std::move(out).text();
}

Expected<Report> read_report(std::string_view text, Report joined) {
  const Counts before = counts_of(joined.results);
  Promise promise{0, before};
  TRY_DONE(join_text(joined, text, promise));
  if (std::string gap = gap_of(promise, before, counts_of(joined.results)); !gap.empty())
    joined.gaps.push_back(std::move(gap));
  return joined;
}

}  // namespace parley::client
