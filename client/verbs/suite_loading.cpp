#include "client/verbs/suite_loading.hpp"

#include <algorithm>

#include "client/files/secret_spans.hpp"
#include "client/files/suite_sources.hpp"
#include "client/gate/exit_code.hpp"
#include "client/remote/private_file.hpp"
#include "client/report/reporters.hpp"
#include "client/run/selection.hpp"
#include "client/run/suite_records.hpp"
#include "client/screen/terminal.hpp"
#include "client/verbs/hints.hpp"

namespace parley::client {
namespace {

/// Converts the place into the form of the file reader. The result has no file if the file cannot be read.
source::Place source_place(const FilePlace& place) {
  const auto text = content_of(place.file, suite_bytes_max);
  if (!text) return {};
  auto file = source::source_file(place.file, *text);
  if (place.line > file->line_count()) return {};
  const std::size_t begin = file->line_begin(place.line);
  const std::string_view line = file->line(place.line);
  std::size_t at = 0;
  for (std::uint32_t column = 1; at < line.size(); ++at) {
    const bool is_first_byte = (static_cast<unsigned char>(line[at]) & 0xC0U) != 0x80U;
    if (is_first_byte && column++ == place.column) break;
  }
  return {std::move(file), {begin + at, begin + at + 1}};
}

/// Returns the model that all suites share. Suites that do not name one use the model of the others. Problem: two
/// suites name different models.
Expected<std::optional<ModelEndpoint>> common_model(const std::vector<CompiledSuite>& suites,
                                                    ModelSettings CompiledSuite::*member,
                                                    std::string_view noun) {
  const CompiledSuite* first = nullptr;
  for (const CompiledSuite& each : suites) {
    if ((each.*member).use == ModelSettings::Use::unset) continue;
    if (first != nullptr && first->*member != each.*member)
      return problem(ProblemKind::invalid_parameter, first->place.file + " and " + each.place.file +
                                                         " name different " + std::string(noun) +
                                                         "; use them in separate commands");
    if (first == nullptr) first = &each;
  }
  if (first == nullptr) return std::optional<ModelEndpoint>();
  if ((first->*member).use == ModelSettings::Use::none) return std::optional(ModelEndpoint{});
  const ModelSettings& model = first->*member;
  return std::optional<ModelEndpoint>(
      {model.url, model.model, model.key, model.parameters, model.timeout_ms.value_or(0)});
}

LoadOptions load_options_of(const Invocation& call, const std::vector<std::string>& paths) {
  LoadOptions load;
  load.paths = paths;
  load.folder = call.value("project", ".");
  for (const char* const* each = call.around().environment; each != nullptr && *each != nullptr; ++each) {
    const std::string_view line(*each);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos)
      load.environment.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  load.reporter_fault = [](std::string_view item) {
    const auto choice = reporter_choice(item);
    return choice ? std::string() : choice.problem().detail;
  };
  load.agent_check = call.around().agent_check;
  if (call.has("env-file")) load.env_file = call.value("env-file");
  return load;
}

}  // namespace

LoadedSuites loaded_suites(const Invocation& call, const std::vector<std::string>& paths) {
  LoadOptions load = load_options_of(call, paths);
  load.ignores_snapshot = [&call](const CompiledTest& test) { return is_updated(call, test); };
  return load_suites(load);
}

LoadedSuites loaded_with_snapshots(const Invocation& call, const std::vector<std::string>& paths) {
  return load_suites(load_options_of(call, paths));
}

std::vector<std::string> updated_tests(const Invocation& call) {
  std::vector<std::string> tests;
  const std::string text = call.value("update");
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    if (end > begin) tests.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return tests;
}

bool is_updated(const Invocation& call, const CompiledTest& test) {
  if (!call.has("update")) return false;
  const std::vector<std::string> globs = updated_tests(call);
  return globs.empty() || std::any_of(globs.begin(), globs.end(),
                                      [&](const std::string& each) { return is_named(test, each); });
}

bool show_faults(const Invocation& call, const LoadedSuites& loaded, std::string_view closing) {
  const bool has_errors = source::has_errors(loaded.faults);
  if (loaded.faults.empty() || (!has_errors && call.count("quiet") >= 2)) return false;
  std::string text = source::report_of(loaded.faults, source::FaultFormat::text);
  if (has_errors && text.ends_with("\n")) text.insert(text.size() - 1, closing);
  write_text(2, text);
  return has_errors;
}

int show_refusal(const Invocation& call, const CompiledSuite& suite, const Problem& problem,
                 std::string_view closing) {
  LoadedSuites refused;
  for (const Fault& each : problem.faults) {
    const PlacedPointer found = place_in_files(suite, each.pointer);
    const source::Place at = found.place == nullptr ? source::Place{} : source_place(*found.place);
    if (at.file == nullptr) return failed(call, problem);
    // A place is known for whole agents and tests only, so the text names the member if it begins with a verb.
    const bool lacks_subject = each.detail.starts_with("is ") || each.detail.starts_with("must ");
    const std::string subject = lacks_subject && !found.rest.empty() ? "\"" + found.rest + "\" " : "";
    refused.faults.push_back({source::Level::error, "refused", subject + each.detail, at});
  }
  hide_secrets(refused.faults);
  std::string last(closing);
  if (problem.kind == ProblemKind::changed_elsewhere) last += "\n" + edited_elsewhere(call);
  return show_faults(call, refused, last) ? exit_code_of(problem) : failed(call, problem);
}

Expected<std::vector<CompiledSuite>> suites_of_project(const Invocation& call) {
  TRY(connection, connection_of(call.connection_flags(), ServerPreference::local, call.around().environment));
  LoadedSuites loaded;
  for (const auto& paths : {std::vector<std::string>{}, {connection.project_folder.string()}}) {
    loaded = loaded_suites(call, paths);
    const bool has_file = std::none_of(
        loaded.faults.begin(), loaded.faults.end(),
        [](const source::SourceFault& each) { return each.code == "no-file" && each.place.file == nullptr; });
    if (has_file && source::has_errors(loaded.faults))
      return problem(ProblemKind::invalid_parameter,
                     source::report_of(loaded.faults, source::FaultFormat::text));
    if (has_file) break;
  }
  return std::move(loaded.suites);
}

Expected<OpenSession> open_with_models(const Invocation& call) {
  constexpr auto preference = ServerPreference::last_login;
  TRY(connection, connection_of(call.connection_flags(), preference, call.around().environment));
  SessionOptions options;
  options.needs_data = true;
  if (connection.is_local) {
    TRY(suites, suites_of_project(call));
    TRY(models, embedded_options(suites, true));
    options.embedded = std::move(models);
    options.needs_models = true;
  }
  return open_session(call, preference, options);
}

Expected<EmbeddedOptions> embedded_options(const std::vector<CompiledSuite>& suites, bool keeps_answers) {
  EmbeddedOptions options;
  options.keeps_answers = keeps_answers;
  TRY(tester, common_model(suites, &CompiledSuite::tester, "testers"));
  TRY(judge, common_model(suites, &CompiledSuite::judge, "judges"));
  options.tester = std::move(tester);
  options.judge = std::move(judge);
  return options;
}

}  // namespace parley::client
