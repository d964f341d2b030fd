#include "client/commands/reporting.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>

#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/sentences.hpp"
#include "client/screen/screen.hpp"
#include "client/verbs/sessions.hpp"
#include "convert/output_files.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

/// Appends to a file that the CI system created, because other steps may have written to it.
Expected<Done> append_to(const std::string& file, const std::string& text) {
  const int descriptor = ::open(file.c_str(), O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0644);
  if (descriptor < 0) return problem(ProblemKind::invalid_parameter, file + " cannot be written");
  int error = write_text(descriptor, text) ? 0 : errno;
  // Some file systems report a full disk only when the file is closed.
  if (::close(descriptor) != 0 && error == 0) error = errno;
  if (error != 0)
    return problem(ProblemKind::invalid_parameter, file + " cannot be written: " + std::strerror(error));
  return Done{};
}

/// Returns the document of a reporter. The HTML report falls back to the plain document if the run was stopped or the
/// server cannot make it.
std::string report_text(const Reporter& reporter, const Report& report, const ReportOptions& options,
                        const HtmlMaker& html) {
  if (reporter.name == "html" && html) {
    if (auto made = html()) return std::move(*made);
  }
  return reporter.document(report, options);
}

/// Returns why the file cannot be written; empty if it probably can be.
std::string obstacle_to(const fs::path& file) {
  std::error_code failed;
  const auto status = fs::status(file, failed);
  if (fs::is_directory(status)) return "it is a folder";
  const bool is_device = fs::exists(status) && !fs::is_regular_file(status);
  if (is_device) return ::access(file.c_str(), W_OK) == 0 ? "" : std::strerror(errno);
  // Writing replaces the file, so only the permissions of its folder matter. Missing folders are created.
  fs::path folder = fs::absolute(file, failed).parent_path();
  while (!fs::exists(folder, failed) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder, failed)) return fs::proximate(folder, failed).string() + " is not a folder";
  return ::access(folder.c_str(), W_OK | X_OK) == 0 ? "" : std::strerror(errno);
}

bool is_same_file(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

/// Whether a second report would replace the first. Devices, such as /dev/null, may get several reports.
bool is_replaced_by(const fs::path& first, const fs::path& second) {
  std::error_code failed;
  if (first.empty() || (fs::exists(first, failed) && !fs::is_regular_file(first, failed))) return false;
  return fs::weakly_canonical(fs::absolute(first), failed) ==
         fs::weakly_canonical(fs::absolute(second), failed);
}

/// Whether the report takes over standard output. Annotations may mix with other lines, and a summary has its own
/// file.
bool fills_stdout(const Invocation& call, const ReporterChoice& choice) {
  const bool has_summary = !call.variable("GITHUB_STEP_SUMMARY").value_or("").empty();
  const bool is_document = find_reporter(choice.name)->document != nullptr;
  return is_document && choice.file.empty() && choice.name != "github" &&
         !(choice.name == "md" && has_summary);
}

}  // namespace

Expected<std::vector<ReporterChoice>> reporter_choices(const Invocation& call,
                                                       const std::vector<std::string>& usual) {
  std::vector<ReporterChoice> choices;
  std::vector<std::string> given = call.values("reporter");
  const std::string_view verb = call.verb().name;
  const bool wants_json = call.has("json") && (verb == "run" || verb == "demo" || verb == "report");
  const bool has_json = std::any_of(
      given.begin(), given.end(), [](const std::string& each) { return each == "json" || each == "json:-"; });
  if (wants_json && !has_json) given.emplace_back("json");
  for (const std::string& each : given.empty() ? usual : given) {
    TRY(choice, reporter_choice(each));
    choices.push_back(std::move(choice));
  }
  const std::string dialect = call.value("junit-dialect", "gitlab");
  if (dialect != "gitlab" && dialect != "jenkins" && dialect != "surefire")
    return problem(ProblemKind::invalid_parameter, "--junit-dialect must be gitlab, jenkins or surefire");
  return choices;
}

Expected<Done> check_report_files(const Invocation& call, const std::vector<ReporterChoice>& choices,
                                  const std::vector<std::string>& sources) {
  const auto wrong = [](const ReporterChoice& choice, const std::string& why) {
    return problem(ProblemKind::invalid_parameter,
                   "--reporter " + choice.name + ": " + choice.file.string() + why);
  };
  std::string on_stdout = call.has("json") && call.verb().name == "gate" ? "--json" : "";
  std::set<fs::path> files;
  for (const ReporterChoice& each : choices) {
    if (fills_stdout(call, each)) {
      if (!on_stdout.empty())
        return problem(ProblemKind::invalid_parameter,
                       "the reports " + on_stdout + " and " + each.name +
                           " both go to standard output: name a file, as in " + each.name + ":FILE");
      on_stdout = each.name;
    }
    if (each.file.empty()) continue;
    for (const fs::path& other : files)
      if (is_replaced_by(other, each.file)) return wrong(each, " is also the file of another report");
    files.insert(each.file);
    for (const std::string& source : sources)
      if (is_same_file(each.file, source)) return wrong(each, " is a file that this command reads");
    if (const std::string why = obstacle_to(each.file); !why.empty())
      return wrong(each, " cannot be written: " + why);
  }
  return Done{};
}

void remove_old_reports(const std::vector<ReporterChoice>& choices, std::string_view baseline) {
  const fs::path kept(baseline.starts_with('@') ? baseline.substr(1) : baseline);
  std::error_code ignored;
  for (const ReporterChoice& each : choices)
    if (!each.file.empty() && fs::is_regular_file(each.file, ignored) && !is_same_file(each.file, kept))
      fs::remove(each.file, ignored);
}

int report_unwritten(const Invocation& call, const Problem& problem, int code) {
  static_cast<void>(failed(call, problem));
  return code == exit_done ? exit_undecided : code;
}

ReportOptions report_options(const Invocation& call, const ReporterChoice& choice) {
  ReportOptions options;
  options.junit_dialect = call.value("junit-dialect", options.junit_dialect);
  options.variant = choice.variant;
  return options;
}

Expected<Done> write_reports(const Invocation& call, const Report& report,
                             const std::vector<std::string>& usual, const HtmlMaker& html) {
  TRY(choices, reporter_choices(call, usual));
  const std::string summary = call.variable("GITHUB_STEP_SUMMARY").value_or("");
  bool has_summary = false;
  std::optional<Problem> first;
  for (const ReporterChoice& each : choices) {
    const Reporter& reporter = *find_reporter(each.name);
    if (reporter.document == nullptr) continue;
    const std::string text = report_text(reporter, report, report_options(call, each), html);
    Expected<Done> done = Done{};
    if (each.name == "md" && each.file.empty() && !summary.empty()) {
      done = append_to(summary, text);
      has_summary = true;
    } else if (each.file.empty()) {
      write_text(1, text);
    } else {
      done = write_whole(each.file, text);
    }
    if (!done && !first) first = done.problem();
  }
  const bool is_action = !summary.empty() && !has_summary && call.verb().name == "run";
  if (is_action) {
    const auto done = append_to(summary, markdown_report(report, {}));
    if (!done && !first) first = done.problem();
  }
  if (first) return *first;
  return Done{};
}

bool writes_to_stdout(const Invocation& call, const std::vector<std::string>& usual) {
  const auto choices = reporter_choices(call, usual);
  if (!choices) return false;
  return std::any_of(choices->begin(), choices->end(),
                     [&](const ReporterChoice& each) { return fills_stdout(call, each); });
}

void show_report(const Invocation& call, const Report& report) {
  const auto wish = color_of(call);
  const Terminal terminal = terminal_of(1, call.around().environment, wish ? *wish : ColorMode::automatic);
  const LineStyle style{terminal, terminal.columns, std::nullopt, distinct_id_length(report.results)};
  const auto screen = screen_of(terminal.is_coding_agent ? ScreenKind::brief : ScreenKind::pretty,
                                {style, static_cast<int>(call.count("quiet"))});
  for (const ResultRow& each : report.results) screen->case_ended(each);
  for (const Group& each : groups_of(report.results)) screen->group_ended(each);
  screen->end(report, {});
}

int write_output(const Invocation& call, const std::string& text) {
  const std::string file = call.value("output", "-");
  if (file == "-") {
    write_text(1, text);
    return exit_done;
  }
  const std::filesystem::path extension = std::filesystem::path(file).extension();
  const bool may_be_suite = extension == ".yaml" || extension == ".yml";
  if (may_be_suite && !call.has("force")) {
    const std::string fault = convert::fault_of_replacing(file, text);
    if (!fault.empty()) return wrong_use(call, file + ": " + fault);
  }
  const auto written = write_whole(file, text);
  return written ? exit_done : failed(call, written.problem());
}

int export_records(const Invocation& call, const std::string& what, const std::string& form) {
  if (form != "json" && form != "jsonl") return wrong_use(call, "-f must be json or jsonl for " + what);
  auto open = open_session(call);
  if (!open) return failed(call, open.problem());
  const std::string path =
      what == "logs" ? "/external-conversation-logs/?sortOrder=asc" : "/" + what + "/?sortOrder=asc";
  std::string text;
  const auto done = open->api->each_row(path, 100, [&](const json::Value& row) {
    if (form == "json") text += text.empty() ? "[" : ",\n";
    text += row.compact().text;
    if (form == "jsonl") text += "\n";
    return true;
  });
  if (!done) return failed(call, done.problem());
  if (form == "json") text += text.empty() ? "[]\n" : "]\n";
  return write_output(call, text);
}

}  // namespace parley::client
