#include "convert/records/suite_writer.hpp"

#include <algorithm>
#include <set>

#include "convert/reading/source.hpp"
#include "convert/records/escapes.hpp"
#include "convert/records/report.hpp"
#include "convert/records/suite_text.hpp"

namespace parley::convert {
namespace {

/// A text without placeholders: a space separates the two braces.
std::string without_placeholders(std::string text) {
  for (std::size_t at = text.find("{{"); at != std::string::npos; at = text.find("{{", at + 2))
    text.insert(at + 1, " ");
  return text;
}

void write_script(Lines& out, const Test& test) {
  if (test.turns.empty()) return out.line(4, "script: \"# nothing can be said\"");
  out.line(4, "script: |");
  for (const std::string& turn : test.turns) out.line(6, dollars_doubled(say_line(turn)));
}

void write_goal(Lines& out, const Test& test) {
  std::string text = test.goal;
  if (!test.first.empty()) text.insert(0, "first: " + quoted_text(test.first) + "\n");
  write_block(out, 4, "goal", text);
}

void write_test(Lines& out, const Test& test) {
  out.line(2, "- name: " + value_of(test.name));
  out.line(4, "key: " + test.key);
  if (!test.description.empty()) out.line(4, "description: " + value_of(test.description));
  if (!test.is_enabled) out.line(4, "enabled: false");
  if (!test.tags.empty()) out.line(4, "tags: " + list_of(test.tags));
  if (!test.persona.empty()) out.line(4, "persona: " + test.persona);
  if (test.max_turns) out.line(4, "max-turns: " + std::to_string(*test.max_turns));
  if (test.metadata != "{}") out.line(4, "metadata: " + flow_of(test.metadata));
  if (!test.fields.empty()) {
    out.line(4, "fields:");
    for (const auto& [key, value] : test.fields) out.line(6, quoted_text(key) + ": " + value_of(value));
  }
  if (!test.history.empty()) {
    out.line(4, "history:");
    for (const Message& each : test.history) {
      out.line(6, "- {role: " + std::string(each.role == "user" ? "tester" : "chatbot") +
                      ", content: " + value_of(without_placeholders(each.text)) + "}");
    }
  }
  if (test.goal.empty()) {
    write_script(out, test);
  } else {
    write_goal(out, test);
  }
  const bool has_must = std::any_of(test.checks.begin(), test.checks.end(),
                                    [](const Check& check) { return check.severity == Severity::blocker; });
  if (!has_must) out.line(4, "must: []");
  write_checks(out, 4, test.checks);
}

void write_fields(Lines& out, const Suite& suite) {
  std::set<std::string> keys;
  for (const Test& test : suite.tests) {
    for (const auto& [key, value] : test.fields) keys.insert(key);
  }
  if (keys.empty()) return;
  out.line(0, "fields:");
  for (const std::string& key : keys) out.line(2, quoted_text(key) + ": {type: string}");
}

void write_proposals(Lines& out, const Suite& suite) {
  if (suite.proposals.empty()) return;
  out.line(
      2, "# From the source. To use an agent, remove the number signs and set the variables that it names.");
  for (const AgentProposal& each : suite.proposals) {
    out.line(2, "# " + each.name + ":");
    for (const std::string& line : each.lines) out.line(2, "#   " + line);
  }
}

}  // namespace

std::string suite_yaml(const Suite& suite, std::string_view project, std::string_view origin) {
  Lines out;
  out.line(0, "# Made by parley convert from " + cut(origin, 200));
  out.line(0, "version: 1");
  out.line(0, "project: " + std::string(project));
  out.line(0, "name: " + value_of(suite.name));
  out.line(0, "agents:");
  out.line(2, "demo: {demo: true}");
  write_proposals(out, suite);
  if (!suite.personas.empty()) {
    out.line(0, "personas:");
    for (const Persona& each : suite.personas)
      out.line(2, each.key + ": {description: " + value_of(each.description) + "}");
  }
  out.line(0, "scenario: " + value_of(suite.name));
  write_fields(out, suite);
  out.line(0, "tests:");
  for (const Test& test : suite.tests) write_test(out, test);
  return std::move(out).text();
}

}  // namespace parley::convert
