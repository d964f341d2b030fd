#include "convert/records/conversion.hpp"

#include <algorithm>

#include "convert/records/escapes.hpp"
#include "model/json/json.hpp"
#include "model/limits.hpp"
#include "model/text/ascii.hpp"
#include "model/text/slug.hpp"
#include "scoring/kinds.hpp"

namespace parley::convert {
namespace {

constexpr std::size_t tests_max = 20'000;
constexpr std::size_t shown_name_chars_max = 200;

/// Why parley rejects the check; empty if it accepts it.
std::string refusal_of(const Check& check) {
  if (check.config.find("{{") != std::string::npos || check.criteria.find("{{") != std::string::npos) {
    return "a text with \"{{\" would be filled in from the test's fields";
  }
  Assertion assertion;
  assertion.type = check.type;
  if (!check.criteria.empty()) assertion.criteria = check.criteria;
  assertion.config = json::Text{check.config};
  Findings findings;
  scoring::check_assertions(std::span(&assertion, 1), "", findings);
  if (check.criteria.size() > limits::criteria_bytes_max) return "a criterion holds at most 16 KiB";
  if (findings.faults.empty()) return {};
  const Fault& first = findings.faults.front();
  const std::size_t slash = first.pointer.rfind('/');
  return first.pointer.substr(slash + 1) + ": " + first.detail;
}

std::string lost_words(const std::map<std::string, std::size_t>& lost) {
  std::string out;
  for (const auto& [what, count] : lost)
    out += (out.empty() ? "; lost: " : ", ") + what + " " + std::to_string(count);
  return out;
}

}  // namespace

std::string slug_of(std::string_view text, std::string_view fallback) {
  constexpr std::size_t bytes_max = 64;
  std::string slug = slug_from(text, bytes_max);
  return slug.empty() ? std::string(fallback) : slug;
}

void Conversion::begin_output(const std::string& path, const std::string& suite_name) {
  outputs_.push_back({path, {}, {}, 0});
  const std::string name = cut(ascii::trimmed(suite_name, " \t\n"), shown_name_chars_max);
  outputs_.back().suite.name = name.empty() ? stem_of(path) : name;
  names_.clear();
  keys_.clear();
  ++totals.files;
}

std::string Conversion::unique(Names& taken, const std::string& wanted, const std::string& gap) {
  const auto [known, is_new] = taken.try_emplace(wanted, 2);
  if (is_new) return wanted;
  std::size_t& number = known->second;
  std::string name;
  do {
    name = wanted + gap + std::to_string(number++);
  } while (!taken.try_emplace(name, 2).second);
  return name;
}

TestDraft Conversion::begin_test(const std::string& name, const At& at) {
  TestDraft draft;
  std::string flat;
  for (const char c : cut(ascii::trimmed(name, " \t\n\r"), shown_name_chars_max)) {
    flat += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  draft.test.name = unique(names_, flat.empty() ? "Test" : flat, " ");
  draft.test.key = unique(keys_, slug_of(draft.test.name, "test"), "-");
  draft.at = at.source.path + ":" + std::to_string(std::max(1U, at.place.line));
  return draft;
}

void Conversion::say(TestDraft& draft, const std::string& text, const At& at, Item item) {
  draft.test.turns.push_back(text);
  if (item.outcome == Outcome::not_mapped) ++draft.lost[item.source];
  item.kind = ItemKind::turn;
  item.test = draft.test.name;
  if (item.text.empty()) item.text = text;
  report.add(at.source, at.place, item);
}

void Conversion::set_goal(TestDraft& draft, const std::string& text, const At& at, Item item) {
  Prose prose = safe_prose(text);
  draft.test.goal = std::move(prose.text);
  item.kind = ItemKind::turn;
  item.test = draft.test.name;
  if (item.text.empty()) item.text = text;
  if (prose.was_changed && item.outcome == Outcome::exact) {
    item.outcome = Outcome::approximated;
    item.why =
        "a line that looked like a directive was prefixed with a dash, or braces were separated by a space";
  }
  report.add(at.source, at.place, item);
}

void Conversion::check(TestDraft& draft, Check check, const At& at, Item item) {
  std::string refusal = refusal_of(check);
  if (refusal.empty() && draft.test.checks.size() >= limits::assertions_max) {
    refusal = "a test holds at most " + std::to_string(limits::assertions_max) + " assertions";
  }
  if (!refusal.empty()) {
    item.outcome = Outcome::not_mapped;
    item.why = std::move(refusal);
    return lose(draft, at, std::move(item));
  }
  ++draft.checks_found;
  item.kind = ItemKind::check;
  item.test = draft.test.name;
  if (item.became.empty()) item.became = {check.type};
  draft.test.checks.push_back(std::move(check));
  report.add(at.source, at.place, item);
}

void Conversion::lose(TestDraft& draft, const At& at, Item item) {
  ++draft.checks_found;
  item.kind = ItemKind::check;
  if (item.outcome == Outcome::exact) item.outcome = Outcome::not_mapped;
  item.became.clear();
  item.needs.clear();
  note(draft, at, std::move(item));
}

void Conversion::note(TestDraft& draft, const At& at, Item item) {
  item.test = draft.test.name;
  if (item.outcome == Outcome::not_mapped) draft.lost[item.source] += item.count;
  report.add(at.source, at.place, item);
}

void Conversion::note_agent_begins(TestDraft& draft, const At& at) {
  if (draft.agent_begins) return;
  draft.agent_begins = true;
  note(draft, at,
       {.outcome = Outcome::not_mapped,
        .source = "agent speaks first",
        .why = "only a client-driven agent can speak first; its words are checked in the first turn"});
}

void Conversion::finish(TestDraft&& draft, const At& at) {
  Test& test = draft.test;
  const bool lost_all = draft.checks_found > 0 && test.checks.empty();
  if (lost_all || draft.cannot_play || (test.turns.empty() && test.goal.empty())) test.is_enabled = false;
  std::size_t bytes = test.goal.size();
  for (const std::string& turn : test.turns) bytes += say_line(turn).size() + 1;
  if (bytes > limits::instruction_bytes_max) {
    faults.add(at.source, at.place,
               "the test \"" + cut(test.name, 60) + "\" has turns of more than 256 KiB, the limit of a test");
  }
  if (++totals.tests > tests_max) {
    if (totals.tests == tests_max + 1)
      faults.add(at.source, at.place, "more than 20,000 tests; convert the files in parts");
    return;
  }
  if (test.metadata.size() > limits::test_metadata_bytes_max) {
    test.metadata = "{}";
    note(draft, at,
         {.outcome = Outcome::not_mapped, .source = "metadata", .why = "test metadata is limited to 16 KB"});
  }
  while (test.history.size() > limits::history_messages_max) test.history.erase(test.history.begin());
  const std::string origin = "Imported from " + draft.at + lost_words(draft.lost);
  test.description += test.description.empty() ? origin : "\n" + origin;
  totals.disabled += test.is_enabled ? 0 : 1;
  totals.turns += test.turns.size() + (test.goal.empty() ? 0 : 1);
  outputs_.back().suite.tests.push_back(std::move(test));
}

std::string Conversion::external_id(const std::string& id) {
  Output& output = outputs_.back();
  std::string wanted = cut(id, limits::name_chars_max / 2);
  if (wanted.empty()) wanted = stem_of(output.path) + "#" + std::to_string(output.logs + 1);
  return (options.into.empty() ? "" : options.into + "/") + wanted;
}

std::string Conversion::finish_log(LogDraft&& log, const At& at) {
  if (const std::string misfit = misfit_of(log); !misfit.empty()) {
    faults.add(at.source, at.place, misfit);
    return {};
  }
  const std::string id = unique(external_ids_, external_id(log.id), "-");
  Output& output = outputs_.back();
  ++output.logs;
  ++totals.logs;
  const EntryCounts counts = counts_of(log);
  totals.entries.tester += counts.tester;
  totals.entries.chatbot += counts.chatbot;
  totals.entries.tool += counts.tool;
  totals.entries.action += counts.action;
  const std::string from =
      cut(at.source.path, limits::name_chars_max / 2) + ":" + std::to_string(std::max(1U, at.place.line));
  output.log_lines += log_line(log, {id, options.format, "Imported from " + from});
  output.log_lines += '\n';
  report.add(at.source, at.place,
             {.kind = ItemKind::log, .source = "conversation", .log = id, .became = {"log"}});
  return id;
}

}  // namespace parley::convert
