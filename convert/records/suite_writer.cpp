#include "convert/records/suite_writer.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <vector>

#include "convert/reading/source.hpp"
#include "convert/records/escapes.hpp"
#include "convert/records/report.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

/// A value of the suite: quoted, with `$` doubled. A leading `file:` gets an empty default in front, which the reader of suites
/// replaces after it has looked for `file:`.
std::string value_of(std::string_view text) {
  std::string safe = dollars_doubled(text);
  if (safe.starts_with("file:")) safe = "${PARLEY_NOTHING:-}" + safe;
  return quoted_text(safe);
}

/// JSON as a flow value of YAML, strings escaped as values of a suite. Keys stay as they are.
void write_flow(std::string& out, const json::Value& value) {
  switch (value.kind()) {
    case json::Kind::string: out += value_of(value.string()); return;
    case json::Kind::array: {
      out += '[';
      bool is_first = true;
      for (const json::Value& item : value.children()) {
        if (!is_first) out += ", ";
        is_first = false;
        write_flow(out, item);
      }
      out += ']';
      return;
    }
    case json::Kind::object: {
      out += '{';
      bool is_first = true;
      for (const json::Value& item : value.children()) {
        if (!is_first) out += ", ";
        is_first = false;
        out += quoted_text(item.key()) + ": ";
        write_flow(out, item);
      }
      out += '}';
      return;
    }
    default: out += value.raw();
  }
}

std::string flow_of(const std::string& json) {
  std::string out;
  const auto document = json::parse(json);
  if (document.ok()) write_flow(out, document->root());
  return out;
}

class Lines {
 public:
  void line(int indent, const std::string& text) {
    out_.append(static_cast<std::size_t>(indent), ' ');
    out_ += text;
    out_ += '\n';
  }
  [[nodiscard]] std::string text() && { return std::move(out_); }

 private:
  std::string out_;
};

void write_check(Lines& out, const Check& check) {
  if (check.type == "criteria") {
    std::string value = value_of(check.criteria);
    if (check.config != "{}") value = "{\"text\": " + value + ", " + flow_of(check.config).substr(1);
    out.line(6, "- criteria: " + value);
  } else {
    out.line(6, "- " + check.type + ": " + flow_of(check.config));
  }
  if (!check.name.empty()) out.line(8, "name: " + value_of(check.name));
  if (check.negate) out.line(8, "not: true");
  if (check.weight) out.line(8, "weight: " + std::to_string(*check.weight));
}

void write_checks(Lines& out, const Test& test) {
  constexpr std::array<std::string_view, 3> levels{"must", "should", "could"};
  for (std::size_t level = 0; level < levels.size(); ++level) {
    const auto is_of = [&](const Check& check) { return static_cast<std::size_t>(check.severity) == level; };
    const bool has_some = std::any_of(test.checks.begin(), test.checks.end(), is_of);
    if (!has_some && level == 0) out.line(4, "must: []");
    if (!has_some) continue;
    out.line(4, std::string(levels[level]) + ":");
    for (const Check& check : test.checks) {
      if (is_of(check)) write_check(out, check);
    }
  }
}

/// Whether the text reads back from a literal block as it is.
bool fits_block(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.front() == '\n' || text.front() == '\t' ||
      text.back() == '\n')
    return false;
  if (quoted_text(text).find("\\u") != std::string::npos) return false;
  return text.find('\r') == std::string_view::npos && text.find('\t') == std::string_view::npos;
}

void write_block(Lines& out, const std::string& key, std::string_view text) {
  if (!fits_block(text) || text.starts_with("file:")) return out.line(4, key + ": " + value_of(text));
  out.line(4, key + ": |-");
  for (const std::string_view line : lines_of(text)) {
    if (line.empty()) {
      out.line(0, "");
    } else {
      out.line(6, dollars_doubled(line));
    }
  }
}

/// A text in which no field is filled in: a blank parts the braces.
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
  write_block(out, "goal", text);
}

void write_test(Lines& out, const Test& test) {
  out.line(2, "- name: " + value_of(test.name));
  out.line(4, "key: " + test.key);
  if (!test.description.empty()) out.line(4, "description: " + value_of(test.description));
  if (!test.is_enabled) out.line(4, "enabled: false");
  if (!test.tags.empty()) {
    std::string tags;
    for (const std::string& tag : test.tags) tags += (tags.empty() ? "" : ", ") + value_of(tag);
    out.line(4, "tags: [" + tags + "]");
  }
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
  write_checks(out, test);
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

}  // namespace

std::string suite_yaml(const Suite& suite, std::string_view project, std::string_view origin) {
  Lines out;
  out.line(0, "# Made by parley convert from " + cut(origin, 200));
  out.line(0, "version: 1");
  out.line(0, "project: " + std::string(project));
  out.line(0, "name: " + value_of(suite.name));
  out.line(0, "agents:");
  out.line(2, "demo: {demo: true}");
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
