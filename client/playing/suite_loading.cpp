#include "client/playing/suite_loading.hpp"

#include "client/screen/terminal.hpp"

namespace parley::client {

LoadedSuites loaded_suites(const Invocation& call, const std::vector<std::string>& paths) {
  LoadOptions load;
  load.paths = paths;
  load.folder = call.value("project", ".");
  for (const char* const* each = call.around().environment; each != nullptr && *each != nullptr; ++each) {
    const std::string_view line(*each);
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos)
      load.environment.emplace(line.substr(0, equals), line.substr(equals + 1));
  }
  load.ignores_snapshots = call.has("update");
  if (call.has("env-file")) load.env_file = call.value("env-file");
  return load_suites(load);
}

bool show_faults(const LoadedSuites& loaded, std::string_view closing) {
  if (loaded.faults.empty()) return false;
  const bool has_errors = source::has_errors(loaded.faults);
  std::string text = source::report_of(loaded.faults, source::FaultFormat::text);
  if (has_errors && text.ends_with("\n")) text.insert(text.size() - 1, closing);
  write_text(2, text);
  return has_errors;
}

EmbeddedOptions embedded_options(const std::vector<CompiledSuite>& suites, bool keeps_answers) {
  EmbeddedOptions options;
  const auto endpoint = [](const ModelSettings& settings) -> std::optional<ModelEndpoint> {
    if (settings.use != ModelSettings::Use::model) return std::nullopt;
    return ModelEndpoint{settings.url, settings.model, settings.key, settings.parameters,
                         settings.timeout_ms.value_or(0)};
  };
  options.keeps_answers = keeps_answers;
  if (suites.empty()) return options;
  options.tester = endpoint(suites.front().tester);
  options.judge = endpoint(suites.front().judge);
  return options;
}

}  // namespace parley::client
