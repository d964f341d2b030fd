#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "client/suite/suite_parts.hpp"
#include "model/limits.hpp"
#include "model/records/custom_fields.hpp"
#include "tester/template_fields.hpp"
#include "tester/warnings.hpp"

namespace parley::client {
namespace {

bool is_played(const CompiledSuite& suite, const std::string& agent) {
  return std::any_of(suite.cells.begin(), suite.cells.end(),
                     [&](const Cell& cell) { return cell.agent == agent; });
}

source::Place place_of(const View& root, const FilePlace& place) {
  // Warnings about tests are shown at the test. Only places in the root file keep their column.
  if (place.file != root.file->name()) return root.place();
  const std::size_t begin = root.file->line_begin(place.line);
  std::size_t at = begin;
  for (std::uint32_t column = 1; column < place.column && at < root.file->text().size(); ++at) {
    if ((static_cast<unsigned char>(root.file->text()[at + 1]) & 0xC0U) != 0x80U) ++column;
  }
  return {root.file, {at, at + 1}};
}

/// Builds the case that the server would make of a record, with the parts that the text warnings need; nullopt if it
/// is too long.
std::optional<TestCase> case_of(const TestRecord& record, const std::vector<FieldDef>& definitions) {
  const auto fields = json::parse(with_defaults({{record.compiled.fields}, {"{}"}}, definitions).text);
  const auto none = json::parse("{}");
  if (!fields || !none) return std::nullopt;
  const tester::TemplateFields texts(fields->root(), none->root());
  TestCase filled;
  filled.instruction = texts.put_in(record.compiled.instruction, limits::instruction_bytes_max);
  for (const SuiteAssertion& each : record.assertions) filled.assertions.push_back(each.record);
  if (!texts.put_in(filled.assertions)) return std::nullopt;
  return filled;
}

/// Warns about placeholders without a field, and about lines that resemble directives, as the server does for a
/// played case (D97).
void warn_of_texts(SuiteSources& sources, const View& root, const std::vector<ScenarioPart>& scenarios,
                   const std::vector<TestRecord>& records) {
  // Rows of data have the same place as their test.
  std::set<std::tuple<std::string, std::uint32_t, std::string>> known;
  for (const TestRecord& record : records) {
    const CompiledTest& test = record.compiled;
    if (!test.is_enabled || !record.is_played) continue;
    const auto scenario = std::find_if(scenarios.begin(), scenarios.end(),
                                       [&](const auto& each) { return each.compiled.key == test.scenario; });
    const auto played =
        case_of(record, scenario == scenarios.end() ? std::vector<FieldDef>{} : scenario->fields);
    if (!played) continue;
    const auto player = test.is_script ? tester::Player::script : tester::Player::model;
    for (const Warning& each : tester::warnings_of_case(*played, player)) {
      const bool is_placeholder = each.code == WarningCode::unknown_placeholder;
      if (!is_placeholder && each.code != WarningCode::directive_lookalike) continue;
      if (known.emplace(test.place.file, test.place.line, each.detail).second)
        sources.warning(is_placeholder ? "unknown-field" : "directive-lookalike", each.detail,
                        place_of(root, test.place));
    }
  }
}

void warn_of_tests(SuiteSources& sources, const View& root, const std::vector<TestRecord>& records,
                   const CompiledSuite& suite) {
  const bool has_baseline = suite.gate && !suite.gate->baseline.empty();
  FilePlace last;
  bool has_few = false;
  for (const TestRecord& record : records) {
    const CompiledTest& test = record.compiled;
    // Rows of data have the same place as their test.
    const bool is_known = last == test.place;
    last = test.place;
    if (record.parent != SIZE_MAX || !test.is_enabled || is_known) continue;
    const source::Place place = place_of(root, test.place);
    const bool has_criteria = std::any_of(test.assertions.begin(), test.assertions.end(),
                                          [](const auto& each) { return each.type == "criteria"; });
    if (!test.is_script && suite.tester.use != ModelSettings::Use::model) {
      sources.warning("goal-without-model", "a goal needs a model that plays the tester; set \"tester\"",
                      place);
    }
    if (!test.is_script && suite.tester.use == ModelSettings::Use::model && test.repeat == 1) {
      sources.warning(
          "one-repetition",
          "the goal is played only once, and a model may play it differently each time; set \"repeat\"",
          place);
    }
    if (has_criteria && suite.judge.use != ModelSettings::Use::model) {
      sources.warning("criteria-without-judge", "\"criteria\" needs a judge; set \"judge\"", place);
    }
    if (test.is_script && !test.persona.empty()) {
      sources.warning("persona-of-script", "a script ignores its persona", place);
    }
    if (has_baseline && !has_few && test.repeat <= 5) {
      // One warning is enough, because the other tests usually have as few repetitions.
      has_few = true;
      sources.warning(
          "few-repetitions",
          "five or fewer repetitions show only large regressions against a baseline; set \"repeat\"", place);
    }
  }
}

}  // namespace

void add_warnings(SuiteSources& sources, const View& root, const std::vector<Named>& agents,
                  const std::vector<Named>& personas, const std::vector<ScenarioPart>& scenarios,
                  const std::vector<TestRecord>& records, const CompiledSuite& suite) {
  for (std::size_t i = 0; i < agents.size() && i < suite.agents.size(); ++i) {
    if (!records.empty() && !is_played(suite, suite.agents[i].key)) {
      sources.warning("unused", "agent \"" + agents[i].name + "\" is not used", agents[i].place);
    }
  }
  for (std::size_t i = 0; i < personas.size() && i < suite.personas.size(); ++i) {
    const bool is_used = std::any_of(suite.cells.begin(), suite.cells.end(),
                                     [&](const Cell& cell) { return cell.persona == suite.personas[i].key; });
    if (!is_used)
      sources.warning("unused", "persona \"" + personas[i].name + "\" is not used", personas[i].place);
  }
  warn_of_tests(sources, root, records, suite);
  warn_of_texts(sources, root, scenarios, records);
}

}  // namespace parley::client
