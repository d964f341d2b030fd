#include "client/run/selection.hpp"

#include <algorithm>
#include <charconv>

#include "client/remote/api.hpp"
#include "client/run/filter.hpp"
#include "model/pattern/pattern.hpp"
#include "model/stable_hash.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

const std::vector<std::string>& filter_keys() {
  static const std::vector<std::string> keys{"agent",   "file",   "key",      "kind", "name", "path",
                                             "persona", "repeat", "scenario", "tag",  "test", "variant"};
  return keys;
}

template <class Record>
const Record* find_record(const std::vector<Record>& records, const std::string& key) {
  const auto found =
      std::find_if(records.begin(), records.end(), [&](const Record& each) { return each.key == key; });
  return found == records.end() ? nullptr : &*found;
}

FilterValues values_of(const ChosenCell& cell) {
  const CompiledTest& test = *cell.test;
  FilterValues values{{"test", test.name},
                      {"test", test.key},
                      {"name", test.name},
                      {"key", test.record_key},
                      {"variant", test.variant},
                      {"file", test.place.file},
                      {"agent", cell.agent->name},
                      {"kind", test.is_script ? "script" : "goal"},
                      {"repeat", std::to_string(cell.repeat)}};
  if (cell.scenario != nullptr) {
    values.emplace("scenario", cell.scenario->name);
    values.emplace("path", cell.scenario->name + "/" + test.name);
  }
  if (cell.persona != nullptr) values.emplace("persona", cell.persona->name);
  for (const std::string& tag : test.tags) values.emplace("tag", tag);
  if (const auto fields = json::parse(test.fields); fields && fields->root().is(json::Kind::object)) {
    for (const json::Value& each : fields->root().children())
      values.emplace("field." + std::string(each.key()), json::as_text(each));
  }
  return values;
}

bool is_any(const std::vector<std::string>& patterns, std::string_view text) {
  return patterns.empty() || std::any_of(patterns.begin(), patterns.end(),
                                         [&](const std::string& each) { return matches_glob(each, text); });
}

bool has_tag(const std::vector<std::string>& wanted, const CompiledTest& test) {
  return wanted.empty() || std::any_of(test.tags.begin(), test.tags.end(),
                                       [&](const std::string& tag) { return is_any(wanted, tag); });
}

/// Whether the test is in the shard. Tests stay in their shard when other tests are added or removed.
bool is_in(const std::optional<Shard>& shard, const std::string& project, const CompiledTest& test) {
  if (!shard) return true;
  const std::uint64_t hash = stable_hash(project + "/" + test.record_key);
  return hash % static_cast<std::uint64_t>(shard->count) == static_cast<std::uint64_t>(shard->index - 1);
}

/// Checks that each pattern matches a record of some suite. `kind` names the option and such a record.
template <class Record>
Expected<Done> check_names(const std::string& kind, const std::vector<std::string>& wanted,
                           const std::vector<CompiledSuite>& suites,
                           std::vector<Record> CompiledSuite::*records) {
  std::vector<std::string> names;
  for (const CompiledSuite& suite : suites)
    for (const Record& each : suite.*records) names.push_back(each.name);
  for (const std::string& pattern : wanted) {
    const bool is_known = std::any_of(names.begin(), names.end(),
                                      [&](const std::string& each) { return matches_glob(pattern, each); });
    if (!is_known)
      return problem(ProblemKind::invalid_parameter,
                     "--" + kind + ": " + (suites.size() > 1 ? "no suite has the " : "the suite has no ") +
                         kind + " \"" + pattern + "\"" + did_you_mean(pattern, names));
  }
  return Done{};
}

Expected<std::vector<Filter>> filters_of(const Selection& selection) {
  std::vector<Filter> filters;
  for (const std::string& each : selection.filters) {
    TRY(filter, Filter::parse(each, filter_keys()));
    filters.push_back(std::move(filter));
  }
  return filters;
}

}  // namespace

Expected<Shard> shard_of(std::string_view text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto [slash, fault] = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = fault == std::errc() && slash != end && *slash == '/';
  const auto [rest, second] = has_slash ? std::from_chars(slash + 1, end, shard.count)
                                        : std::from_chars_result{slash, std::errc::invalid_argument};
  if (second != std::errc() || rest != end || shard.index < 1 || shard.index > shard.count ||
      shard.count > 10'000)
    return problem(ProblemKind::invalid_parameter,
                   "--shard " + std::string(text) + ": must be I/N with I from 1 to N, such as 2/5");
  return shard;
}

std::string cell_name(std::string_view test, std::string_view agent, std::string_view persona) {
  return std::string(test) + '\0' + std::string(agent) + '\0' + std::string(persona);
}

Expected<std::vector<ChosenCell>> chosen_cells(const CompiledSuite& suite, const Selection& selection) {
  TRY(filters, filters_of(selection));
  std::optional<Pattern> pattern;
  if (!selection.pattern.empty()) {
    auto compiled = Pattern::compile(selection.pattern);
    if (!compiled) return problem(ProblemKind::invalid_parameter, "-g " + compiled.problem().detail);
    pattern = std::move(compiled).value();
  }
  std::vector<ChosenCell> chosen;
  for (const Cell& each : suite.cells) {
    const auto test = std::find_if(suite.tests.begin(), suite.tests.end(),
                                   [&](const CompiledTest& one) { return one.record_key == each.test; });
    if (test == suite.tests.end() || !test->is_selected || !test->is_enabled) continue;
    ChosenCell cell{&*test, find_record(suite.agents, each.agent), find_record(suite.personas, each.persona),
                    find_record(suite.scenarios, test->scenario), selection.repeat.value_or(each.repeat)};
    if (cell.agent == nullptr || !is_any(selection.agents, cell.agent->name)) continue;
    if (!selection.personas.empty() &&
        (cell.persona == nullptr || !is_any(selection.personas, cell.persona->name)))
      continue;
    if (!has_tag(selection.tags, *test) || !is_in(selection.shard, suite.project, *test)) continue;
    if (selection.only && !selection.only->contains(cell_name(test->record_key, each.agent, each.persona)))
      continue;
    if (pattern) {
      Steps left = slow_search_steps_max;
      const std::string path = (cell.scenario == nullptr ? "" : cell.scenario->name) + "/" + test->name;
      if (pattern->search(path, left) != Found::yes) continue;
    }
    const FilterValues values = values_of(cell);
    const bool holds = std::all_of(filters.begin(), filters.end(),
                                   [&](const Filter& filter) { return filter.holds(values); });
    if (holds) chosen.push_back(cell);
  }
  return chosen;
}

Expected<Done> check_people(const Selection& selection, const std::vector<CompiledSuite>& suites) {
  TRY_DONE(check_names("agent", selection.agents, suites, &CompiledSuite::agents));
  return check_names("persona", selection.personas, suites, &CompiledSuite::personas);
}

bool is_named(const CompiledTest& test, std::string_view glob) {
  return matches_glob(glob, test.key) || matches_glob(glob, test.record_key) || matches_glob(glob, test.name);
}

Expected<Done> check_tags(const Selection& selection, const std::vector<CompiledSuite>& suites) {
  std::vector<std::string> tags;
  for (const CompiledSuite& suite : suites)
    for (const CompiledTest& test : suite.tests) tags.insert(tags.end(), test.tags.begin(), test.tags.end());
  for (const std::string& wanted : selection.tags) {
    const bool is_known = std::any_of(tags.begin(), tags.end(),
                                      [&](const std::string& each) { return matches_glob(wanted, each); });
    if (!is_known)
      return problem(ProblemKind::invalid_parameter,
                     "--tag: no test has the tag \"" + wanted + "\"" + did_you_mean(wanted, tags));
  }
  return Done{};
}

std::int64_t cases_of(const std::vector<ChosenCell>& cells) {
  std::int64_t cases = 0;
  for (const ChosenCell& each : cells) cases += each.repeat;
  return cases;
}

std::string part_of(const CompiledSuite& suite, const std::vector<ChosenCell>& cells,
                    const std::optional<Shard>& shard) {
  std::size_t all = 0;
  std::size_t in_shard = 0;
  for (const Cell& each : suite.cells) {
    if (cells.empty() || each.agent != cells.front().agent->key) continue;
    const auto test = std::find_if(suite.tests.begin(), suite.tests.end(),
                                   [&](const CompiledTest& one) { return one.record_key == each.test; });
    if (test == suite.tests.end() || !test->is_enabled || test->scenario != cells.front().test->scenario)
      continue;
    ++all;
    if (is_in(shard, suite.project, *test)) ++in_shard;
  }
  if (cells.size() >= all) return "";
  if (!shard || cells.size() < in_shard) return "selection";
  return "shard " + std::to_string(shard->index) + "/" + std::to_string(shard->count);
}

}  // namespace parley::client
