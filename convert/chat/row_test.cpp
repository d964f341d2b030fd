#include "convert/chat/row_test.hpp"

#include "convert/records/checks.hpp"
#include "model/json/json.hpp"

namespace parley::convert {
namespace {

std::string text_member(const LogDraft& log, std::string_view key) {
  const std::string* found = find_member(log.metadata, key);
  if (found == nullptr) return {};
  const auto document = json::parse(*found);
  return document.ok() ? json::as_text(document->root()) : std::string();
}

/// Adds a recorded answer as a check of its turn if `--check` is set, else reports it as ignored.
void check_answer(Conversion& conversion, TestDraft& draft, const LogEntry& entry, std::size_t turn,
                  const At& at) {
  const std::string& how = conversion.options.check;
  Item item{.source = "recorded answer", .text = entry.content};
  if (how.empty()) {
    item.outcome = Outcome::ignored;
    return conversion.note(draft, at, std::move(item));
  }
  if (how == "criteria")
    return conversion.check(draft, criterion_says(entry.content, turn), at, std::move(item));
  conversion.check(draft, text_check(how, entry.content, turn_scope(turn)), at, std::move(item));
}

void check_ground_truth(Conversion& conversion, TestDraft& draft, const LogDraft& log, const At& at) {
  const std::string truth = text_member(log, "ground_truth");
  if (truth.empty()) return;
  Item item{.source = "ground_truth", .text = truth};
  bool is_wanted = false;
  for (const std::string& each : conversion.options.expect)
    is_wanted = is_wanted || each.starts_with("ground_truth");
  if (is_wanted)
    return conversion.check(draft, criterion_of("The chatbot's answer says in substance: " + truth), at,
                            std::move(item));
  item.outcome = Outcome::ignored;
  conversion.note(draft, at, std::move(item));
}

}  // namespace

void add_row_test(Conversion& conversion, const LogDraft& log, const At& at) {
  std::string name = log.id;
  for (const LogEntry& entry : log.entries) {
    if (name.empty() && entry.type == LogEntry::Type::message && entry.is_tester)
      name = cut(entry.content, 80);
  }
  TestDraft draft = conversion.begin_test(name, at);
  for (const std::string_view key : {"system", "tools"}) {
    if (find_member(log.metadata, key) == nullptr) continue;
    conversion.note(draft, at,
                    {.kind = ItemKind::agent,
                     .outcome = Outcome::not_mapped,
                     .source = std::string(key),
                     .text = text_member(log, key),
                     .why = "belongs to the agent"});
  }
  std::size_t turns = 0;
  for (const LogEntry& entry : log.entries) {
    if (entry.type == LogEntry::Type::message && entry.is_tester) {
      conversion.say(draft, entry.content, at, {.source = "user"});
      ++turns;
    } else if (entry.type == LogEntry::Type::message) {
      check_answer(conversion, draft, entry, turns == 0 ? 0 : turns - 1, at);
    } else {
      conversion.note(draft, at,
                      {.outcome = Outcome::ignored, .source = "recorded call", .text = entry.name});
    }
  }
  check_ground_truth(conversion, draft, log, at);
  conversion.finish(std::move(draft), at);
}

}  // namespace parley::convert
