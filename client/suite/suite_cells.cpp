#include <algorithm>

#include "client/suite/suite_parts.hpp"
#include "model/records/custom_fields.hpp"
#include "model/text/nearest.hpp"

namespace parley::client {
namespace {

constexpr std::int64_t cases_max = 20'000;
constexpr std::size_t combinations_max = 1'000;

/// One entry of `exclude` or `include`.
struct CellRule {
  std::string agent;    ///< key; empty: any
  std::string persona;  ///< key; empty: any
  std::string test;     ///< key in the file; empty: any
  View fields;
};

class CellReader {
 public:
  CellReader(SuiteSources& sources, const View& root, const std::vector<TestRecord>& records,
             CompiledSuite& suite)
      : sources_(sources), root_(root), matrix_(root.at("matrix")), records_(records), suite_(suite) {}

  void read() {
    const auto agents = keys_of(matrix_.at("agent"), "agent");
    const auto personas = keys_of(matrix_.at("persona"), "persona");
    const auto excluded = rules_of("exclude");
    for (const TestRecord& record : records_) {
      if (!record.compiled.is_enabled || !record.is_played || record.is_only_included) continue;
      for (const CompiledAgent& agent : suite_.agents) {
        const bool is_chosen =
            agents.empty() || std::find(agents.begin(), agents.end(), agent.key) != agents.end();
        if (is_chosen && allows(record.compiled.scenario, agent.key))
          add(record, agent.key, personas, excluded);
      }
    }
    for (const CellRule& rule : rules_of("include")) include(rule);
    // Report this only without other errors. A part with an error is missing, or may exclude too much.
    if (suite_.cells.empty() && suite_.excluded > 0 && !source::has_errors(sources_.faults())) {
      sources_.error("no-cases", "\"exclude\" leaves no case to play; remove a rule",
                     matrix_.key_place("exclude"));
    }
    const std::int64_t count = case_count(suite_);
    if (count > cases_max) {
      sources_.error("too-many-cases",
                     "the suite has " + std::to_string(count) + " cases, at most " +
                         std::to_string(cases_max) + "; use fewer repetitions or combinations",
                     matrix_ ? root_.key_place("matrix") : root_.key_place("tests"));
    }
  }

 private:
  [[nodiscard]] bool allows(const std::string& scenario, const std::string& agent) const {
    const auto found = std::find_if(suite_.scenarios.begin(), suite_.scenarios.end(),
                                    [&](const auto& each) { return each.key == scenario; });
    return found == suite_.scenarios.end() || found->agents.empty() ||
           std::find(found->agents.begin(), found->agents.end(), agent) != found->agents.end();
  }

  template <class Things>
  std::string key_of(const View& name, const Things& things, std::string_view noun) {
    std::vector<std::string> names;
    for (const auto& each : things) {
      if (each.name == name.text()) return each.key;
      names.push_back(each.name);
    }
    sources_.error(
        "undefined",
        std::string(noun) + " \"" + name.text() + "\" is not defined" + did_you_mean(name.text(), names),
        name.place());
    return "";
  }
  std::string key_named(const View& name, std::string_view noun) {
    return noun == "agent" ? key_of(name, suite_.agents, noun) : key_of(name, suite_.personas, noun);
  }
  std::vector<std::string> keys_of(const View& value, std::string_view noun) {
    std::vector<std::string> keys;
    for (const View& name : value.names()) {
      if (std::string key = key_named(name, noun); !key.empty()) keys.push_back(std::move(key));
    }
    return keys;
  }

  std::vector<CellRule> rules_of(std::string_view key) {
    std::vector<CellRule> rules;
    for (const View& each : matrix_.at(key).items()) {
      if (!each.node->is(source::NodeKind::mapping)) continue;
      CellRule rule;
      if (const View agent = each.at("agent")) rule.agent = key_named(agent, "agent");
      if (const View persona = each.at("persona")) rule.persona = key_named(persona, "persona");
      if (const View test = each.at("test")) rule.test = test_key(test);
      rule.fields = each.at("fields");
      rules.push_back(std::move(rule));
    }
    return rules;
  }
  std::string test_key(const View& name) {
    std::vector<std::string> keys;
    for (const TestRecord& record : records_) {
      if (record.compiled.key == name.text()) return name.text();
      keys.push_back(record.compiled.key);
    }
    sources_.error("undefined",
                   "test \"" + name.text() + "\" is not defined" + did_you_mean(name.text(), keys),
                   name.place());
    return "";
  }

  void add(const TestRecord& record, const std::string& agent, const std::vector<std::string>& personas,
           const std::vector<CellRule>& excluded) {
    std::vector<std::string> played = personas;
    if (!record.compiled.persona.empty() || played.empty()) played = {record.compiled.persona};
    for (const std::string& persona : played) {
      const bool is_excluded = std::any_of(excluded.begin(), excluded.end(), [&](const CellRule& rule) {
        return (rule.agent.empty() || rule.agent == agent) &&
               (rule.persona.empty() || rule.persona == persona) &&
               (rule.test.empty() || rule.test == record.compiled.key) &&
               has_fields(record.compiled, rule.fields);
      });
      if (is_excluded)
        ++suite_.excluded;
      else
        suite_.cells.push_back({agent, record.compiled.record_key, persona, record.compiled.repeat});
    }
  }

  void include(const CellRule& rule) {
    bool has_test = false;
    for (const TestRecord& record : records_) {
      if (record.is_only_included && !rule.fields) continue;
      if (!record.is_played || !has_fields(record.compiled, rule.fields)) continue;
      if (!rule.test.empty() && rule.test != record.compiled.key) continue;
      has_test = true;
      if (!record.compiled.is_enabled) continue;
      for (const CompiledAgent& agent : suite_.agents) {
        if (!rule.agent.empty() && rule.agent != agent.key) continue;
        const Cell cell{agent.key, record.compiled.record_key,
                        rule.persona.empty() ? record.compiled.persona : rule.persona,
                        record.compiled.repeat};
        const bool is_known = std::any_of(suite_.cells.begin(), suite_.cells.end(), [&](const Cell& each) {
          return each.agent == cell.agent && each.test == cell.test && each.persona == cell.persona;
        });
        if (!is_known) suite_.cells.push_back(cell);
      }
    }
    // Every test without "data" has a variant with these fields by now.
    if (!has_test && rule.fields && !source::has_errors(sources_.faults())) {
      sources_.error(
          "no-cases",
          "no row of \"data\" has these fields, so this entry adds no case; add a row or change the fields",
          rule.fields.place());
    }
  }

  SuiteSources& sources_;
  View root_;
  View matrix_;
  const std::vector<TestRecord>& records_;
  CompiledSuite& suite_;
};

std::string named_value(const std::string& name, const View& value) {
  return name + " " + (value.text().empty() ? value.json() : value.text());
}

}  // namespace

std::optional<std::vector<FieldCombination>> field_combinations(const View& matrix) {
  const View fields = matrix.at("fields");
  if (!fields || !fields.node->is(source::NodeKind::mapping) || fields.node->members.empty())
    return std::vector<FieldCombination>{};
  std::vector<FieldCombination> combinations{{"", "{}", View{}, matrix.key_place("fields")}};
  for (const source::Member& member : fields.node->members) {
    std::vector<FieldCombination> longer;
    for (const FieldCombination& each : combinations) {
      for (const View& value : View{member.value, fields.file}.names()) {
        json::Writer one;
        one.begin_object().key(member.name).raw(value.json()).end_object();
        longer.push_back({each.name + (each.name.empty() ? "" : ", ") + named_value(member.name, value),
                          laid_over({{std::move(one).text()}, {each.values}}).text, View{}, each.place});
      }
    }
    if (longer.size() > combinations_max) return std::nullopt;
    combinations = std::move(longer);
  }
  return combinations;
}

FieldCombination included_combination(const View& fields) {
  FieldCombination combination{"", fields.json(), fields, fields.place()};
  for (const source::Member& member : fields.node->members) {
    combination.name +=
        (combination.name.empty() ? "" : ", ") + named_value(member.name, {member.value, fields.file});
  }
  return combination;
}

bool has_fields(const CompiledTest& test, const View& fields) {
  if (!fields || !fields.node->is(source::NodeKind::mapping)) return true;
  const auto values = json::parse(test.fields);
  return std::all_of(fields.node->members.begin(), fields.node->members.end(),
                     [&](const source::Member& member) {
                       const auto value = values->root().find(member.name);
                       return value && json::as_text(*value) == member.value->text;
                     });
}

void read_cells(SuiteSources& sources, const View& root, const std::vector<TestRecord>& records,
                CompiledSuite& suite) {
  CellReader(sources, root, records, suite).read();
}

}  // namespace parley::client
