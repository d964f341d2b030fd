#include "client/mcp/texts.hpp"

#include <set>

#include "client/remote/api.hpp"
#include "client/report/report_json.hpp"
#include "client/report/safe_text.hpp"
#include "model/json/json_writer.hpp"

namespace parley::client {
namespace {

constexpr std::size_t entry_bytes_max = 2'000;
constexpr std::size_t text_bytes_max = 60'000;

std::string in_quotes(std::string_view text, std::size_t most = entry_bytes_max) {
  std::string shown = one_line(text);
  if (shown.size() > most) {
    std::size_t end = most;
    while (end > 0 && (static_cast<unsigned char>(shown[end]) & 0xC0U) == 0x80U) --end;
    shown.resize(end);
    shown += "...";
  }
  return shown;
}

std::string name_or(const json::Value& record, std::string_view otherwise) {
  const std::string name = text_at(record, "name");
  return one_line(name.empty() ? std::string(otherwise) : name);
}

std::string name_of_assertion(const json::Value& assertion) {
  return name_or(assertion, text_at(assertion, "type"));
}

std::set<std::string> evidence_of(const json::Value& assertion) {
  std::set<std::string> ids;
  const auto evidence = assertion.find("evidence");
  if (!evidence) return ids;
  for (const json::Value& id : evidence->children())
    if (id.is(json::Kind::string)) ids.emplace(id.string());
  return ids;
}

/// `tester: Hello`, or `chatbot lookup_order {"arguments":{"order":"42"}}` for a tool call. The type of the entry
/// replaces a missing role.
std::string entry_line(const json::Value& entry) {
  std::string line = text_at(entry, "role").empty() ? text_at(entry, "type") : text_at(entry, "role");
  if (const std::string name = text_at(entry, "name"); !name.empty())
    line.append(" ").append(in_quotes(name));
  if (const std::string content = text_at(entry, "content"); !content.empty())
    line.append(": ").append(in_quotes(content));
  const auto metadata = entry.find("metadata");
  if (text_at(entry, "type") != "message" && metadata && metadata->size() > 0) {
    line.append(" ").append(in_quotes(metadata->raw()));
  }
  return line;
}

std::string verdict_line(const json::Value& assertion) {
  return text_at(assertion, "status") + " " + text_at(assertion, "severity") + " " +
         name_of_assertion(assertion) + ": " + in_quotes(text_at(assertion, "reason"));
}

std::string fault_of(const json::Value& result) {
  const auto metadata = result.find("metadata");
  const auto error = metadata ? metadata->find("error") : std::nullopt;
  if (!error) return text_at(result, "endReason");
  return text_at(*error, "source") + " " + text_at(*error, "code") + ": " +
         in_quotes(text_at(*error, "detail"));
}

std::string head_of(const json::Value& result) {
  std::string head = "Result " + text_at(result, "id") + ": " + text_at(result, "status");
  if (const std::string test = link_name(result, "test"); !test.empty()) head += ", test " + one_line(test);
  head += ", score " + std::to_string(integer_at(result, "score"));
  head += flag_at(result, "overallPassed") ? ", every BLOCKER passed" : ", a BLOCKER failed";
  if (text_at(result, "status") == "failed") head += "\nFault: " + fault_of(result);
  for (const json::Value& warning : items_of(result, "warnings"))
    head += "\nWarning " + text_at(warning, "code") + ": " + in_quotes(text_at(warning, "detail"));
  return head + "\n";
}

}  // namespace

std::string test_line(const json::Value& test) {
  std::string line = text_at(test, "id") + " " + name_or(test, "(no name)");
  if (const std::string scenario = link_name(test, "scenario"); !scenario.empty())
    line += ", scenario " + one_line(scenario);
  line += ", " + std::to_string(items_of(test, "assertions").size()) + " assertions";
  return flag_at(test, "isEnabled") ? line : line + ", disabled";
}

std::string run_line_for_model(const json::Value& run) {
  std::string line = "Run " + text_at(run, "id") + ": " + text_at(run, "status");
  if (const std::string agent = link_name(run, "agent"); !agent.empty()) line += ", agent " + one_line(agent);
  if (const std::string scenario = link_name(run, "scenario"); !scenario.empty())
    line += ", scenario " + one_line(scenario);
  const auto result = run.find("result");
  if (!result || !result->find("total")) return line;
  line += ", " + std::to_string(integer_at(*result, "total")) + " results";
  if (const auto rate = number_at(*result, "passRate")) line += ", pass rate " + json::number_text(*rate);
  if (const auto coverage = number_at(*result, "coverage"))
    line += ", coverage " + json::number_text(*coverage);
  std::string warnings;
  if (const auto counts = result->find("warnings"))
    for (const json::Value& each : counts->children())
      warnings += (warnings.empty() ? "" : ", ") + std::string(each.key()) + " " + std::string(each.raw());
  return warnings.empty() ? line : line + "; results with warnings: " + warnings;
}

std::string result_line_for_model(const json::Value& result) {
  std::string line = text_at(result, "id") + " " + text_at(result, "status");
  if (const std::string test = link_name(result, "test"); !test.empty()) line += ", test " + one_line(test);
  if (text_at(result, "status") != "completed") return line + ": " + fault_of(result);
  for (const json::Value& assertion : items_of(result, "assertionResults")) {
    if (text_at(assertion, "status") != "passed" && text_at(assertion, "severity") == "BLOCKER") {
      return line + ": " + verdict_line(assertion);
    }
  }
  return line;
}

std::string result_text(const json::Value& result) {
  std::string text = head_of(result);
  std::set<std::string> marked;
  for (const json::Value& assertion : items_of(result, "assertionResults")) {
    text.append("- ").append(verdict_line(assertion)).append("\n");
    if (text_at(assertion, "status") != "passed") marked.merge(evidence_of(assertion));
  }
  text += "Conversation (quoted data; > marks the evidence of what did not pass):\n";
  for (const json::Value& entry : items_of(result, "conversation")) {
    if (text.size() > text_bytes_max) return text + "(the rest of the conversation is left out)\n";
    text.append(marked.contains(text_at(entry, "id")) ? "> " : "  ").append(entry_line(entry)).append("\n");
  }
  return text;
}

std::string verdict_text(const json::Value& result, std::string_view wanted) {
  std::string text = head_of(result);
  std::size_t shown = 0;
  for (const json::Value& assertion : items_of(result, "assertionResults")) {
    const bool is_wanted = wanted.empty()
                               ? text_at(assertion, "status") != "passed"
                               : text_at(assertion, "id") == wanted || text_at(assertion, "name") == wanted ||
                                     text_at(assertion, "type") == wanted;
    if (!is_wanted) continue;
    ++shown;
    text.append("- ").append(verdict_line(assertion)).append("\n");
    text.append("  type ").append(text_at(assertion, "type"));
    if (const std::string criteria = text_at(assertion, "criteria"); !criteria.empty())
      text += ", criteria: " + in_quotes(criteria);
    if (const auto config = assertion.find("config"))
      text.append(", config ").append(in_quotes(config->raw()));
    text += "\n";
    const auto evidence = evidence_of(assertion);
    for (const json::Value& entry : items_of(result, "conversation")) {
      if (evidence.contains(text_at(entry, "id")))
        text.append("  evidence: ").append(entry_line(entry)).append("\n");
    }
    if (evidence.empty()) text += "  No entry shows it: the verdict is about something that is missing.\n";
  }
  if (shown > 0) return text;
  return text + (wanted.empty() ? "Every assertion passed.\n" : "No assertion has this id, name or type.\n");
}

std::string comparison_text(const json::Value& comparison) {
  std::string text;
  for (const json::Value& test : items_of(comparison, "tests")) {
    std::string name = link_name(test, "test");
    if (name.empty()) name = link_id(test, "test");
    text.append(text_at(test, "change")).append(" ").append(one_line(name));
    if (const std::string persona = link_name(test, "personality"); !persona.empty())
      text += " as " + one_line(persona);
    for (const json::Value& member : test.children()) {
      const bool is_number = member.is(json::Kind::number);
      if (is_number) text.append(", ").append(member.key()).append(" ").append(member.raw());
    }
    text += "\n";
  }
  return text.empty() ? "The runs have no test in common.\n" : text;
}

}  // namespace parley::client
