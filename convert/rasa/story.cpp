#include "convert/rasa/story.hpp"

#include <algorithm>
#include <array>

#include "model/json/json.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

/// The entities of a step as an object such as `{"city": "Oslo"}`. Adds their number to `count`.
std::string entities_of(const Node& step, std::size_t& count) {
  const std::vector<Node>& entities = step.list_of("entities");
  if (entities.empty()) return {};
  Members members;
  for (const Node& each : entities) {
    ++count;
    if (!each.is_map()) {
      set_member(members, as_text(each), json_text(""));
      continue;
    }
    for (const Node& entity : each.items) {
      if (entity.key != "role" && entity.key != "group") set_member(members, entity.key, to_json(entity));
    }
  }
  return object_of(members);
}

void add_step(StoryReader& story, const Node& step) {
  if (!step.is_map()) return story.lost("step", as_text(step), step.place, "it is not a mapping");
  if (step.has("user") || step.has("intent")) {
    const Node* intent = step.find("intent");
    const Node* user = step.find("user");
    std::size_t entities = 0;
    const std::string values = entities_of(step, entities);
    const Place place = user != nullptr ? user->place : intent != nullptr ? intent->place : step.place;
    const std::string text = user == nullptr ? std::string() : as_text(*user);
    story.user(std::string(ascii::trimmed(text, " \t\r\n")), intent == nullptr ? "" : as_text(*intent),
               values, place);
    if (entities > 0) story.input("entity", entities);
    return;
  }
  for (const Node& part : step.items) {
    if (part.key == "action") {
      story.action(as_text(part), part.place);
    } else if (part.key == "bot") {
      story.bot(as_text(part), part.place);
    } else if (part.key == "slot_was_set" || part.key == "active_loop") {
      story.input(part.key, part.is_list() && !part.items.empty() ? part.items.size() : 1);
    } else if (part.key == "checkpoint" || part.key == "or") {
      story.lost(part.key, as_text(part), part.place);
    } else {
      story.input(part.key);
    }
  }
}

std::string after(std::string_view line, std::size_t prefix) {
  return std::string(ascii::trimmed(line.substr(prefix)));
}

/// The number of entities in an object such as `{"city": "Oslo"}`.
std::size_t entities_in(const std::string& object) {
  const auto document = json::parse(object);
  return document.ok() ? document->root().children().size() : 1;
}

/// Reads `* intent{"entity": "value"}`, `* intent: user text` or `* intent{"entity": "value"}: user text`.
void add_markdown_user(StoryReader& story, std::string line, Place place) {
  if (line.starts_with("form: ")) line.erase(0, 6);  // said while a form is active
  if (line.find(" OR ") != std::string::npos) return story.lost("or", line, place);
  const std::size_t brace = line.find('{');
  const std::size_t colon = line.find(':');
  if (colon != std::string::npos && (brace == std::string::npos || colon < brace)) {
    return story.user(after(line, colon + 1), line.substr(0, colon), {}, place);
  }
  if (brace == std::string::npos) return story.user({}, line, {}, place);
  const std::string intent = line.substr(0, brace);
  const std::size_t close = line.find("}:", brace);
  const std::string entities = line.substr(brace, close == std::string::npos ? close : close + 1 - brace);
  story.input("entity", entities_in(entities));
  story.user(close == std::string::npos ? std::string() : after(line, close + 2), intent, entities, place);
}

/// Reads the line of a bot: `action_name`, an event such as `rewind` or `slot{"city": "Oslo"}`, or a line that Rasa
/// skips, such as `form: city_form`.
void add_markdown_action(StoryReader& story, const std::string& step, Place place) {
  constexpr std::array<std::string_view, 10> events{"followup", "rewind", "undo",   "restart",  "reset_slots",
                                                    "pause",    "resume", "export", "reminder", "back"};
  const std::size_t brace = step.find('{');
  const std::string name(ascii::trimmed(step.substr(0, brace)));
  const bool is_action = name.starts_with("utter_") || name.starts_with("action_");
  if (name == "slot" && brace != std::string::npos) {
    story.input("slot_was_set");
  } else if ((name == "form" || name == "active_loop") && brace != std::string::npos) {
    story.input("active_loop");
  } else if (step.starts_with("form: ")) {
    story.input("form");
  } else if (std::find(events.begin(), events.end(), name) != events.end() ||
             (brace != std::string::npos && !is_action)) {
    story.input(name);
  } else if (!name.empty()) {
    story.action(name, place);
  }
}

/// The trimmed line without comments, which may continue on later lines.
std::string without_comments(std::string_view line, bool& is_comment) {
  std::string out;
  while (true) {
    const std::size_t mark = line.find(is_comment ? "-->" : "<!--");
    if (!is_comment) out += line.substr(0, mark);
    if (mark == std::string_view::npos) return std::string(ascii::trimmed(out));
    line.remove_prefix(mark + (is_comment ? 3 : 4));
    is_comment = !is_comment;
  }
}

/// A heading of any level: the name of a story if steps follow it.
struct Heading {
  std::string name;
  Place place;
};

void add_markdown_line(StoryReader& story, const std::string& line, Place place) {
  const std::string step = after(line, 1);
  if (line.front() == '*') {
    add_markdown_user(story, step, place);
  } else if (line.front() == '>') {
    story.lost("checkpoint", step, place);
  } else {
    add_markdown_action(story, step, place);
  }
}

}  // namespace

StoryReader::StoryReader(Conversion& conversion, const Source& source, const Domain& domain,
                         const std::string& name, Place place)
    : conversion_(conversion),
      source_(source),
      domain_(domain),
      place_(place),
      draft_(conversion.begin_test(name, {source, place})) {}

void StoryReader::user(const std::string& text, const std::string& intent, const std::string& entities,
                       Place place) {
  const At at{source_, place};
  if (turns_ == 0 && opening_) conversion_.note_agent_begins(draft_, {source_, *opening_});
  ++turns_;
  if (text.empty()) {
    conversion_.say(draft_, "/" + intent + entities, at,
                    {.outcome = Outcome::approximated,
                     .source = "intent",
                     .why = "only a channel of Rasa takes an intent as a text"});
    return;
  }
  std::size_t entity_count = 0;
  const std::string plain = without_entities(text, entity_count);
  conversion_.say(draft_, plain, at, {.source = "user"});
  if (entity_count > 0) input("entity", entity_count);
  if (intent.empty()) return;
  if (!conversion_.options.with_nlu) return input("intent");
  conversion_.check(
      draft_,
      json_check({"/nlp/intent/name", "messages", {}, "equals", json_text(intent), turn_scope(turns_ - 1)}),
      at, {.source = "intent", .text = intent, .needs = "messages carry /nlp/intent/name"});
}

void StoryReader::action(const std::string& name, Place place) {
  const std::size_t turn = turns_ == 0 ? 0 : turns_ - 1;
  Item item{.source = "action", .text = name};
  const bool says = name.starts_with("utter_");
  if (says && turns_ == 0 && !opening_) opening_ = place;
  UtterCheck utter = utter_check(domain_, name, turn);
  if (!says && utter.needs.empty()) item.needs = {};
  if (says || utter.needs.empty()) {
    item.needs = utter.needs;
    return conversion_.check(draft_, std::move(utter.check), {source_, place}, std::move(item));
  }
  item.needs = "flows and actions as internal events";
  conversion_.check(draft_,
                    json_check({"/action", "events", {}, "equals", json_text(name), turn_scope(turn)}),
                    {source_, place}, std::move(item));
}

void StoryReader::bot(const std::string& text, Place place) {
  const std::size_t turn = turns_ == 0 ? 0 : turns_ - 1;
  if (turns_ == 0 && !opening_) opening_ = place;
  conversion_.check(draft_, text_check("equals", text, turn_scope(turn), Ignoring::nothing), {source_, place},
                    {.source = "bot", .text = text});
}

void StoryReader::lost(const std::string& kind, const std::string& text, Place place,
                       const std::string& why) {
  draft_.cannot_play = true;
  conversion_.note(draft_, {source_, place},
                   {.outcome = Outcome::not_mapped, .source = kind, .text = text, .why = why});
}

void StoryReader::finish() {
  if (turns_ == 0 && !draft_.cannot_play) {
    conversion_.note(draft_, {source_, place_},
                     {.outcome = Outcome::not_mapped, .source = "steps", .why = "the user says nothing"});
  }
  for (const auto& [kind, count] : inputs_) {
    conversion_.note(draft_, {source_, place_},
                     {.outcome = Outcome::ignored,
                      .source = kind,
                      .text = "input or internal state of the policy",
                      .count = count});
  }
  conversion_.finish(std::move(draft_), {source_, place_});
}

void add_stories(Conversion& conversion, const Source& source, const Node& stories, const Domain& domain) {
  for (const Node& each : stories.items) {
    std::string name = each.text_of("story");
    if (name.empty()) name = each.text_of("rule");
    StoryReader story(conversion, source, domain, name, each.place);
    if (const std::size_t conditions = each.list_of("condition").size(); conditions > 0)
      story.input("condition", conditions);
    for (const Node& step : each.list_of("steps")) add_step(story, step);
    story.finish();
  }
}

bool is_training_heading(std::string_view heading) {
  const std::string name = ascii::lower(ascii::trimmed(heading, "# \t"));
  return name.starts_with("intent:") || name.starts_with("synonym:") || name.starts_with("regex:") ||
         name.starts_with("lookup:");
}

void add_markdown_stories(Conversion& conversion, const Source& source, const Domain& domain) {
  std::optional<StoryReader> story;
  Heading heading;
  std::uint32_t number = 0;
  bool is_comment = false;
  for (const std::string_view raw : lines_of(source.text)) {
    ++number;
    const std::string line = without_comments(raw, is_comment);
    const Place place{number, 1};
    if (line.starts_with('#')) {
      if (story) story->finish();
      story.reset();
      heading = {std::string(ascii::trimmed(line, "# \t")), is_training_heading(line) ? Place{} : place};
    } else if (line.starts_with('*') || line.starts_with('>') || line.starts_with('-')) {
      if (!story && heading.place.line > 0)
        story.emplace(conversion, source, domain, heading.name, heading.place);
      if (story) add_markdown_line(*story, line, place);
    }
  }
  if (story) story->finish();
}

}  // namespace parley::convert
