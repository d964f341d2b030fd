#include <algorithm>
#include <set>
#include <tuple>

#include "client/files/secret_spans.hpp"
#include "client/suite/check_keys.hpp"
#include "client/suite/suite_parts.hpp"
#include "client/suite/suite_roots.hpp"

namespace parley::client {
namespace {

namespace fs = std::filesystem;

class SuiteLoader {
 public:
  SuiteLoader(const fs::path& folder, const std::map<std::string, std::string>& environment,
              const LoadOptions& options)
      : sources_(folder, environment), options_(options) {}

  /// Returns nullopt if a file has an error.
  std::optional<CompiledSuite> load(const RootFile& file) {
    root_ = sources_.read_suite(file.path, {});
    if (!root_) return std::nullopt;
    check_section(sources_, root_, sections::suite);
    if (!root_.node->is(source::NodeKind::mapping)) return std::nullopt;
    files_.push_back(root_);
    read_included(file.path);
    read_settings(file);
    read_people();
    read_scenarios();
    read_records();
    read_cells(sources_, root_, records_, suite_);
    // Parts with errors are missing from the suite, so names could seem unused.
    if (!source::has_errors(sources_.faults()))
      add_warnings(sources_, root_, agents_, personas_, scenarios_, records_, suite_);
    finish(file);
    if (source::has_errors(sources_.faults())) return std::nullopt;
    return std::move(suite_);
  }
  SuiteSources& sources() { return sources_; }
  /// The value of `project`. Needs: load() returned a suite.
  [[nodiscard]] source::Place project_place() const { return root_.at("project").place(); }

 private:
  /// Skips the suite itself if a glob matches it.
  void read_included(const fs::path& suite) {
    std::set<fs::path> known;
    for (const View& glob : root_.at("include").names()) {
      for (const fs::path& path : sources_.matching(glob)) {
        std::error_code failed;
        if (fs::equivalent(path, suite, failed) || !known.insert(path).second) continue;
        const View included = sources_.read_suite(path, glob.place());
        if (!included) continue;
        check_section(sources_, included, sections::included);
        if (included.node->is(source::NodeKind::mapping)) files_.push_back(included);
      }
    }
  }

  void read_settings(const RootFile& file) {
    suite_.project = root_.at("project").text();
    suite_.name = root_.at("name") ? root_.at("name").text() : suite_.project;
    suite_.folder = sources_.folder();
    suite_.place = {root_.file->name(), 1, 1};
    suite_.tester = read_model(sources_, root_.at("tester"), suite_.secrets);
    suite_.judge = read_model(sources_, root_.at("judge"), suite_.secrets);
    suite_.repeat = root_.at("repeat").whole().value_or(1);
    suite_.concurrency = root_.at("concurrency").whole().value_or(0);
    suite_.seed = root_.at("seed").whole();
    if (const View gate = root_.at("gate")) suite_.gate = read_gate(gate);
    for (const View& each : root_.at("reporters").items()) read_reporter(each);
    (void)file;
  }

  void read_reporter(const View& value) {
    suite_.reporters.push_back(value.text());
    if (!options_.reporter_fault || !value.node->is_scalar()) return;
    if (std::string fault = options_.reporter_fault(value.text()); !fault.empty())
      sources_.error("reporter", std::move(fault), value.place());
  }

  void read_people() {
    agents_ = named_in(sources_, files_, "agents");
    for (const Named& named : agents_) {
      suite_.agents.push_back(read_agent(sources_, named, suite_.secrets));
      if (options_.agent_check)
        check_agent(sources_, named.value, suite_.agents.back(), options_.agent_check);
    }
    personas_ = named_in(sources_, files_, "personas");
    for (const Named& named : personas_) suite_.personas.push_back(read_persona(sources_, named));
    if (agents_.empty() && !root_.at("agents")) {
      sources_.error("missing-key", "a suite needs \"agents\"", root_.key_place("project"));
    }
  }

  void read_scenarios() {
    const View several = root_.at("scenarios");
    ScenarioPart first;
    const View name = root_.at("scenario");
    first.compiled.name = name ? name.text() : suite_.name;
    first.compiled.key = slug_of(first.compiled.name);
    first.compiled.place = name ? file_place(name.place()) : suite_.place;
    first.fields = read_fields(sources_, root_.at("fields"));
    for (const View& file : files_) {
      for (const View& test : file.at("tests").items()) first.tests.push_back(test);
    }
    if (several && (name || root_.at("fields"))) {
      sources_.error("second-type", "\"scenarios\" cannot be combined with \"scenario\" or \"fields\"",
                     root_.key_place("scenarios"));
    }
    if (!first.tests.empty() || !several) scenarios_.push_back(std::move(first));
    for (const Named& named : named_in(sources_, {root_}, "scenarios")) read_scenario(named);
    for (const ScenarioPart& part : scenarios_) suite_.scenarios.push_back(part.compiled);
    const bool has_tests = std::any_of(scenarios_.begin(), scenarios_.end(),
                                       [](const auto& each) { return !each.tests.empty(); });
    if (!has_tests && !source::has_errors(sources_.faults())) {
      const char* key = root_.node->find("tests") != nullptr ? "tests" : "project";
      sources_.error("missing-key", "a suite needs \"tests\"", root_.key_place(key));
    }
  }

  void read_scenario(const Named& named) {
    ScenarioPart part;
    part.compiled.name = named.name;
    part.compiled.key = slug_of(named.name);
    part.compiled.place = file_place(named.place);
    part.description = sources_.text_of(named.value.at("description")).text;
    part.fields = read_fields(sources_, named.value.at("fields"));
    part.tests = named.value.at("tests").items();
    for (const View& name : named.value.at("agents").items()) {
      const auto found = std::find_if(suite_.agents.begin(), suite_.agents.end(),
                                      [&](const auto& each) { return each.name == name.text(); });
      if (found != suite_.agents.end())
        part.compiled.agents.push_back(found->key);
      else
        sources_.error("undefined", "agent \"" + name.text() + "\" is not defined", name.place());
    }
    scenarios_.push_back(std::move(part));
  }

  void read_records() {
    const TestContext context{root_.at("defaults"), root_.at("matrix"), suite_.repeat,
                              suite_.personas,      suite_.folder,      options_.ignores_snapshot};
    for (ScenarioPart& part : scenarios_) {
      const std::size_t first = records_.size();
      for (TestRecord& record : read_tests(sources_, part, context)) {
        if (record.parent != SIZE_MAX) record.parent += first;
        records_.push_back(std::move(record));
      }
    }
    check_keys();
  }

  /// Checks that keys are unique in the project.
  void check_keys() {
    std::map<std::string, FilePlace> seen;
    for (const TestRecord& record : records_) {
      const CompiledTest& test = record.compiled;
      const auto [earlier, is_new] = seen.emplace(test.record_key, test.place);
      // The rows of one test were already compared with each other when its data was read.
      if (is_new || (!test.row.empty() && earlier->second == test.place)) continue;
      sources_.error("duplicate-key",
                     "key \"" + test.record_key + "\" is taken by " + earlier->second.file + ":" +
                         std::to_string(earlier->second.line) + ":" + std::to_string(earlier->second.column) +
                         "; give one of them another \"key\"",
                     place_at(test.place));
    }
  }

  source::Place place_at(const FilePlace& place) const {
    for (const View& view : files_) {
      if (view.file->name() != place.file) continue;
      std::size_t at = view.file->line_begin(place.line);
      const std::string_view line = view.file->line(place.line);
      std::size_t offset = 0;
      for (std::uint32_t column = 1; column < place.column && offset < line.size(); ++column) {
        do ++offset;
        while (offset < line.size() && (static_cast<unsigned char>(line[offset]) & 0xC0U) == 0x80U);
      }
      at += offset;
      return {view.file, {at, at + 1}};
    }
    return root_.place();
  }

  void finish(const RootFile& file) {
    std::sort(suite_.secrets.begin(), suite_.secrets.end());
    suite_.secrets.erase(std::unique(suite_.secrets.begin(), suite_.secrets.end()), suite_.secrets.end());
    for (TestRecord& record : records_) record.compiled.digest = digest_of(case_text(record));
    select(file);
    write_apply_document(root_, scenarios_, records_, suite_);
    for (const TestRecord& record : records_) suite_.tests.push_back(record.compiled);
  }

  /// Returns everything that affects how a case is played and judged, except its name.
  [[nodiscard]] std::string case_text(const TestRecord& record) const {
    json::Writer out;
    out.begin_array()
        .string(record.compiled.instruction)
        .raw(record.compiled.fields)
        .string(record.compiled.from_log)
        .string(record.history);
    for (const SuiteAssertion& each : record.assertions) write_assertion(out, each.record);
    for (const CompiledPersona& persona : suite_.personas) {
      if (persona.key == record.compiled.persona) out.string(persona.description).string(persona.instruction);
    }
    out.end_array();
    return std::move(out).text();
  }

  /// `file.yaml:12`: selects the test that contains the line, with its variants.
  void select(const RootFile& file) {
    if (file.lines.empty()) return;
    for (TestRecord& record : records_) record.compiled.is_selected = false;
    for (const std::uint32_t line : file.lines) {
      std::uint32_t best = 0;
      for (const TestRecord& record : records_) {
        const FilePlace& place = record.compiled.place;
        if (record.parent == SIZE_MAX && place.file == root_.file->name() && place.line <= line &&
            line <= root_.file->line_count())
          best = std::max(best, place.line);
      }
      if (best == 0) {
        report_no_test(line);
        continue;
      }
      for (TestRecord& record : records_) {
        const TestRecord& owner = record.parent == SIZE_MAX ? record : records_[record.parent];
        if (owner.compiled.place.line == best && owner.compiled.place.file == root_.file->name())
          record.compiled.is_selected = true;
      }
    }
  }

  void report_no_test(std::uint32_t line) {
    const source::SourceFile& file = *root_.file;
    const std::size_t at = line == 0                   ? 0
                           : line <= file.line_count() ? file.line_begin(line)
                                                       : file.text().size();
    sources_.error("no-test",
                   "no test is at line " + std::to_string(line) + "; a line of the test itself selects it",
                   {root_.file, {at, at}});
  }

  SuiteSources sources_;
  const LoadOptions& options_;
  View root_;
  std::vector<View> files_;
  CompiledSuite suite_;
  std::vector<Named> agents_;
  std::vector<Named> personas_;
  std::vector<ScenarioPart> scenarios_;
  std::vector<TestRecord> records_;
};

/// Whether the fault concerns a scalar that is on one line and contains the place.
bool is_of_scalar_with(const source::SourceFault& fault, const source::Place& inner) {
  const source::Place& outer = fault.place;
  if (outer.file == nullptr || outer.file != inner.file || outer.at.begin > inner.at.begin ||
      outer.at.end < inner.at.end)
    return false;
  const std::string_view text = outer.file->text().substr(outer.at.begin, outer.at.end - outer.at.begin);
  return text.find('\n') == std::string_view::npos && !text.starts_with('{') && !text.starts_with('[');
}

/// Removes the other faults of a value whose variable is missing or malformed, or whose file cannot be read, so that
/// only the cause is shown. If the file of --env-file cannot be read, only that is shown, because its variables are
/// missing.
void drop_consequences(std::vector<source::SourceFault>& faults, bool has_env_file) {
  constexpr std::string_view missing = "missing-variable";
  const auto is_cause = [&](const source::SourceFault& each) {
    return each.code == missing || each.code == "variable" || each.code == "no-file";
  };
  std::vector<source::Place> places;
  for (const source::SourceFault& each : faults)
    if (is_cause(each)) places.push_back(each.place);
  std::erase_if(faults, [&](const source::SourceFault& fault) {
    if (!has_env_file && fault.code == missing) return true;
    return !is_cause(fault) && std::any_of(places.begin(), places.end(), [&](const source::Place& place) {
      return is_of_scalar_with(fault, place);
    });
  });
}

/// Keeps the first of equal faults: each test reads `matrix` again.
void drop_repetitions(std::vector<source::SourceFault>& faults) {
  std::set<std::tuple<const source::SourceFile*, std::size_t, std::string>> known;
  std::erase_if(faults, [&](const source::SourceFault& each) {
    return !known.emplace(each.place.file.get(), each.place.at.begin, each.message).second;
  });
}

}  // namespace

LoadedSuites load_suites(const LoadOptions& options) {
  LoadedSuites loaded;
  auto environment = options.environment;
  if (options.env_file) read_env_file(*options.env_file, environment, loaded);
  const bool has_env_file = std::none_of(loaded.faults.begin(), loaded.faults.end(),
                                         [](const auto& each) { return each.code == "no-file"; });
  std::map<std::string, FilePlace> projects;  // where each project was first used
  for (const RootFile& root : roots_of(options, loaded)) {
    SuiteLoader loader(root.path.parent_path(), environment, options);
    auto suite = loader.load(root);
    SuiteSources& sources = loader.sources();
    if (suite) {
      const FilePlace place = file_place(loader.project_place());
      const auto [first, is_new] = projects.emplace(suite->project, place);
      if (!is_new)
        sources.error("duplicate-project",
                      "project \"" + suite->project + "\" is also the project of " + first->second.file +
                          ":" + std::to_string(first->second.line) + ":" +
                          std::to_string(first->second.column) +
                          "; give each suite its own project, or use \"include\"",
                      loader.project_place());
    }
    loaded.faults.insert(loaded.faults.end(), sources.faults().begin(), sources.faults().end());
    loaded.files.insert(loaded.files.end(), sources.files().begin(), sources.files().end());
    if (suite) loaded.suites.push_back(std::move(*suite));
  }
  drop_consequences(loaded.faults, has_env_file);
  drop_repetitions(loaded.faults);
  hide_secrets(loaded.faults);
  if (source::has_errors(loaded.faults)) loaded.suites.clear();
  return loaded;
}

}  // namespace parley::client
