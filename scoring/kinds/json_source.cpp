#include "scoring/kinds/json_source.hpp"

#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

using Which = Scope::Which;

bool is_looked_at(const Entry& entry, std::string_view entries) {
  if (entries == "messages") return entry.type == EntryType::message;
  if (entries == "tools") return entry.type == EntryType::tool;
  if (entries == "actions") return entry.type == EntryType::action;
  return entries != "events" || is_event(entry.type);
}

Scope which_of(const json::Value& config) {
  return scope_from_text(text_at(config, "which").value_or("any")).value_or(Scope{});
}

/// The result for one value. The value itself is invalid once the next entry is read.
struct Answer {
  const Entry* entry;
  bool holds;
  std::string shown;
};

void keep(const Scope& which, std::vector<Answer>& answers) {
  if (which.which == Which::first && answers.size() > 1) answers.erase(answers.begin() + 1, answers.end());
  if (which.which == Which::last && answers.size() > 1) answers.erase(answers.begin(), answers.end() - 1);
  if (which.which == Which::turn)
    std::erase_if(answers, [&](const Answer& answer) { return answer.entry->turn != which.turn; });
}

}  // namespace

void check_json_source(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto path = text_at(config, "pointer");
  if (path && !json::is_pointer(*path)) {
    findings.add(pointer + "/pointer", "must be empty or begin with '/' (RFC 6901)");
  }
  check_scope_at("which", config, pointer, findings);
}

std::vector<const Entry*> json_entries(const json::Value& config, const Conversation& conversation) {
  const std::string_view entries = text_at(config, "entries").value_or("all");
  const auto name = text_at(config, "name");
  std::vector<const Entry*> looked_at;
  for (const Entry& entry : conversation.entries()) {
    if (is_looked_at(entry, entries) && (!name || entry.name == *name)) looked_at.push_back(&entry);
  }
  return looked_at;
}

std::string json_source_phrase(const json::Value& config) {
  const std::string_view pointer = text_at(config, "pointer").value_or("");
  const std::string where = pointer.empty() ? "its whole metadata" : std::string(pointer);
  const auto name = text_at(config, "name");
  const std::string entry = name ? "entry " + in_quotes(*name) : "entry";
  const Scope which = which_of(config);
  switch (which.which) {
    case Which::any: return "some " + entry + " has " + where;
    case Which::all: return "every " + entry + " that has " + where + " has it";
    case Which::first: return "the first " + entry + " that has " + where + " has it";
    case Which::last: return "the last " + entry + " that has " + where + " has it";
    case Which::turn: break;
  }
  return "some " + entry + " of turn " + std::to_string(which.turn) + " has " + where;
}

Verdict decide_json(const json::Value& config, Conversation& conversation, const std::string& what,
                    const std::function<bool(const json::Value&)>& holds) {
  const Scope which = which_of(config);
  const std::string_view pointer = text_at(config, "pointer").value_or("");
  std::vector<Answer> answers;
  for (const Entry* entry : json_entries(config, conversation)) {
    if (conversation.is_stopped()) return {};
    if (!conversation.work().take(entry->metadata.text.size())) return {.found = std::string(too_much_work)};
    const auto value = json::at_pointer(conversation.metadata(*entry), pointer);
    if (value) answers.push_back({entry, holds(*value), shortened(value->raw())});
  }
  keep(which, answers);
  std::vector<const Answer*> holding;
  std::vector<const Answer*> others;
  for (const Answer& answer : answers) (answer.holds ? holding : others).push_back(&answer);

  const bool passed = !holding.empty() && (which.which != Which::all || others.empty());
  Verdict verdict{passed ? AssertionStatus::passed : AssertionStatus::failed,
                  json_source_phrase(config) + " " + what,
                  {},
                  {}};
  const auto& resting = passed ? holding : others;
  for (const Answer* answer : resting) note(verdict.evidence, *answer->entry);
  if (answers.empty()) {
    verdict.found = "no entry has it";
  } else if (passed) {
    verdict.found = counted(holding.size(), "such value") + ", the first is " + holding.front()->shown;
  } else {
    verdict.found = counted(others.size(), "other value") + ", the last is " + others.back()->shown;
  }
  return verdict;
}

}  // namespace parley::scoring
