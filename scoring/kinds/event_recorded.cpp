// The types `event-recorded` and `action-offered`.

#include <array>

#include "scoring/kinds/count_range.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/support/arguments.hpp"
#include "scoring/support/config.hpp"
#include "scoring/support/scope.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace event_recorded_kind {
namespace {

constexpr std::array<std::string_view, 2> visibility_words{"internal", "public"};
constexpr std::array recorded_keys{
    ConfigKey{"name", true, ConfigType::text, "The event, internal or public."},
    word_key("visibility", visibility_words, "internal or public; absent: either."),
    ConfigKey{"metadata", false, ConfigType::object, "What the event's metadata must contain, recursively."},
    ConfigKey{"min", false, ConfigType::count,
              "Minimum number of such events; default 1 (0 where max is 0)."},
    ConfigKey{"max", false, ConfigType::count, "Maximum number of such events; default: no limit."},
};
constexpr std::array offered_keys{
    ConfigKey{"name", true, ConfigType::text, "The action, as an event's metadata.actions registers it."},
    ConfigKey{"min", false, ConfigType::count, "Minimum number of offers; default 1 (0 where max is 0)."},
    ConfigKey{"max", false, ConfigType::count, "Maximum number of offers; default: no limit."},
};

constexpr LeastByDefault once{1};

void check_offered(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_not_empty("name", config, pointer, findings);
  check_range(config, once, pointer, findings);
}

/// The number of matching events, and the wording for the reason.
struct Count {
  std::string expected;
  std::size_t matching = 0;
  std::size_t of_name = 0;
  std::size_t events = 0;
  std::vector<Id> evidence = {};
};

Verdict verdict_on(const json::Value& config, Count&& count, std::string_view noun) {
  const CountRange range = range_of(config, once);
  Verdict verdict{range.holds(count.matching) ? AssertionStatus::passed : AssertionStatus::failed,
                  std::move(count.expected),
                  std::to_string(count.matching) + " " + std::string(noun) + " of " +
                      std::to_string(count.events) + " recorded",
                  std::move(count.evidence)};
  if (range.min != 1 || range.max) verdict.expected += " " + words_of(range, "time");
  if (count.of_name > count.matching) verdict.found += ", " + std::to_string(count.of_name) + " of that name";
  return verdict;
}

Verdict decide_recorded(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  const auto visibility = text_at(config, "visibility");
  const auto metadata = given(config, "metadata");
  Count count{"the " + std::string(visibility.value_or("")) + (visibility ? " " : "") + "event " +
              in_quotes(name) + " is recorded"};
  if (metadata) count.expected += " with " + shortened(metadata->raw());
  for (const Entry& entry : conversation.entries()) {
    if (!is_event(entry.type)) continue;
    ++count.events;
    if (entry.name != name) continue;
    ++count.of_name;
    const bool is_public = entry.type == EntryType::public_event;
    if (visibility && is_public != (*visibility == "public")) continue;
    if (metadata && !is_part_of(*metadata, conversation.metadata(entry))) continue;
    ++count.matching;
    note(count.evidence, entry);
  }
  return verdict_on(config, std::move(count), "such");
}

bool offers(const json::Value& metadata, std::string_view action) {
  const auto actions = metadata.find("actions");
  if (!actions || !actions->is(json::Kind::array)) return false;
  for (const json::Value& one : actions->children()) {
    if (text_at(one, "name") == action) return true;
  }
  return false;
}

Verdict decide_offered(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  Count count{"the action " + in_quotes(name) + " is offered"};
  for (const Entry& entry : conversation.entries()) {
    if (!is_event(entry.type)) continue;
    ++count.events;
    if (!offers(conversation.metadata(entry), name)) continue;
    ++count.matching;
    note(count.evidence, entry);
  }
  return verdict_on(config, std::move(count), "with that offer");
}

}  // namespace
}  // namespace event_recorded_kind

constinit const Kind rows::action_offered{
    .name = "action-offered",
    .summary = "The chatbot offers the tester an action.",
    .keys = event_recorded_kind::offered_keys,
    .check = event_recorded_kind::check_offered,
    .decide = event_recorded_kind::decide_offered,
};

constinit const Kind rows::event_recorded{
    .name = "event-recorded",
    .summary = "An event is recorded.",
    .keys = event_recorded_kind::recorded_keys,
    .turn_scoped = true,
    .check = event_recorded_kind::check_offered,
    .decide = event_recorded_kind::decide_recorded,
};

}  // namespace parley::scoring
