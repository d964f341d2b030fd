// The tests that SuiteReader adds: alone, as a conversation, with a simulated user, or as a recorded conversation.
#include <algorithm>
#include <array>

#include "convert/promptfoo/settings.hpp"
#include "convert/promptfoo/suite_reader.hpp"
#include "model/text/ascii.hpp"

namespace parley::convert {
namespace {

constexpr std::array<std::string_view, 13> test_keys{
    "description", "vars",      "provider", "providers", "prompts", "providerOutput",       "assert",
    "options",     "threshold", "metadata", "path",      "type",    "assertScoringFunction"};
constexpr std::array<std::string_view, 10> option_keys{
    "transform",    "postprocess", "transformVars", "storeOutputAs",       "provider",
    "rubricPrompt", "prefix",      "suffix",        "disableVarExpansion", "disableDefaultAsserts"};

const Node* setting_of(const Node& provider, std::string_view key) {
  const Node* config = provider.find("config");
  return config == nullptr ? nullptr : config->find(key);
}

/// The instructions of the simulated user, from its provider or else from variables of the test.
struct Briefing {
  Node instructions;
  Node initial;  ///< messages before the first turn
};

Briefing briefing_of(Conversion& conversion, const Source& source, const Node& provider,
                     const Variables& variables) {
  Variables found;
  for (const std::string key : {"instructions", "initialMessages"}) {
    const auto variable = variables.find(key);
    if (const Node* setting = setting_of(provider, key)) {
      found[key] = *setting;
    } else if (variable != variables.end()) {
      found[key] = variable->second;
    }
  }
  for (auto& [key, value] : found) fill_file_variable(conversion, source, source, value);
  return {found["instructions"], found["initialMessages"]};
}

/// The setting `maxTurns`, whose default is 10.
std::int64_t turns_max_of(const Node& provider) {
  const Node* setting = setting_of(provider, "maxTurns");
  const std::string text = setting == nullptr ? std::string() : as_text(*setting);
  if (text.empty() || text.size() > 5 || !ascii::is_digits(text)) return 10;
  return std::clamp<std::int64_t>(std::stoll(text), 1, 10'000);
}

void add_initial(Conversion& conversion, TestDraft& draft, const At& at, const Node& initial,
                 const Variables& variables) {
  const Node messages = opened(initial);
  Item item{.source = "initialMessages"};
  if (messages.is_list()) {
    for (const Node& message : messages.items) {
      const std::string text = message.text_of("content");
      draft.test.history.push_back({message.text_of("role") == "user" ? "user" : "assistant",
                                    rendered(text, variables).value_or(text)});
    }
    item.became = {"history"};
  } else {
    item.outcome = Outcome::not_mapped;
    item.text = as_text(initial);
    item.why = "it is not a list of messages, or in a file that is missing or code";
  }
  conversion.note(draft, at, std::move(item));
}

void add_fields(TestDraft& draft, const Variables& variables) {
  for (const auto& [key, value] : variables) {
    const bool is_name = !key.empty() && key.size() <= 64 && key.find_first_of("{} \t") == std::string::npos;
    if (is_name && !value.is_map() && key != "_conversation") draft.test.fields[key] = as_text(value);
  }
}

}  // namespace

/// Adds the variables and metadata of a test.
void SuiteReader::add_about(TestDraft& draft, const Case& each) {
  add_fields(draft, each.variables);
  if (const Node* metadata = each.test.find("metadata");
      metadata != nullptr && metadata->is_map() && !metadata->items.empty()) {
    draft.test.metadata = to_json(*metadata);
    conversion_.note(draft, at_setting(each, *metadata, ""),
                     {.source = "metadata", .text = to_json(*metadata), .became = {"metadata"}});
  }
}

/// Adds the variables that all turns share as fields, and reports the others that no text of the user contains.
void SuiteReader::add_conversation_about(TestDraft& draft, const std::vector<const Case*>& cases) {
  Variables shared = cases.front()->variables;
  std::erase_if(shared, [&](const auto& variable) {
    return !std::all_of(cases.begin(), cases.end(), [&](const Case* each) {
      const auto found = each->variables.find(variable.first);
      return found != each->variables.end() && as_text(found->second) == as_text(variable.second);
    });
  });
  add_fields(draft, shared);
  for (const Case* each : cases) {
    const Prompt* prompt = prompt_of(*each);
    const auto said = text_variable(*each);
    for (const auto& [key, value] : each->variables) {
      const bool is_said = prompt != nullptr ? uses_variable(prompt->text, key) : said == key;
      if (is_said || shared.contains(key) || key == "_conversation") continue;
      conversion_.note(draft, at_setting(*each, value, "vars"),
                       {.kind = ItemKind::agent,
                        .outcome = Outcome::ignored,
                        .source = "vars",
                        .text = key + ": " + as_text(value)});
    }
  }
}

/// Reports the description, metadata and threshold of one turn, because the whole conversation becomes one test.
void SuiteReader::add_turn_about(TestDraft& draft, const Case& each) {
  if (!each.description.empty()) {
    conversion_.note(draft, at_of(each),
                     {.outcome = Outcome::ignored, .source = "description", .text = each.description});
  }
  if (const Node* threshold = each.test.find("threshold")) {
    conversion_.note(draft, at_setting(each, *threshold, ""),
                     {.kind = ItemKind::run,
                      .outcome = Outcome::not_mapped,
                      .source = "threshold",
                      .text = as_text(*threshold),
                      .why = "it applies to one turn, but the whole conversation becomes one test"});
  }
  const Node* metadata = each.test.find("metadata");
  if (metadata == nullptr || !metadata->is_map()) return;
  for (const Node& member : metadata->items) {
    if (member.key == "conversationId") continue;
    conversion_.note(draft, at_setting(each, member, "metadata"),
                     {.outcome = Outcome::not_mapped,
                      .source = "metadata",
                      .text = member.key + ": " + as_text(member),
                      .why = "it applies to one turn, but the whole conversation becomes one test"});
  }
}

/// Reports keys of the test and of its options that nothing else reads.
void SuiteReader::add_other_keys(TestDraft& draft, const Case& each) {
  const auto is_in = [](const auto& keys, const Node& member) {
    return member.is_null() || std::find(keys.begin(), keys.end(), member.key) != keys.end();
  };
  for (const Node& member : each.test.items) {
    if (is_in(test_keys, member)) continue;
    conversion_.note(draft, at_setting(each, member, ""),
                     {.outcome = Outcome::not_mapped,
                      .source = member.key,
                      .text = settings_text(member),
                      .why = "it is not a key of a test"});
  }
  const Node* options = each.test.find("options");
  if (options == nullptr) return;
  for (const Node& member : options->items) {
    if (is_in(option_keys, member)) continue;
    conversion_.note(draft, at_setting(each, member, "options"),
                     {.kind = ItemKind::run,
                      .outcome = Outcome::ignored,
                      .source = member.key,
                      .text = settings_text(member)});
  }
}

/// Reports options that are code, and settings of the prompt, the provider and the grader.
void SuiteReader::add_settings(TestDraft& draft, const Case& each) {
  const auto note = [&](std::string_view holder, std::string_view key, ItemKind kind,
                        const std::string& why) {
    const Node* from = holder.empty() ? &each.test : each.test.find(holder);
    const Node* found = from == nullptr ? nullptr : from->find(key);
    if (found == nullptr) return;
    conversion_.note(draft, at_setting(each, *found, holder),
                     {.kind = kind,
                      .outcome = why.empty() ? Outcome::ignored : Outcome::not_mapped,
                      .source = std::string(key),
                      .text = settings_text(*found),
                      .why = why});
  };
  for (const std::string_view key : {"transform", "postprocess"})
    note("options", key, ItemKind::run, "code is never run; the checks apply to the answer as it is");
  note("options", "transformVars", ItemKind::run, "code is never run");
  note("options", "storeOutputAs", ItemKind::run, "a test does not use the answers of another one");
  note("", "assertScoringFunction", ItemKind::run, "code is never run");
  note("", "providerOutput", ItemKind::other, "the agent answers; a given answer is not checked");
  for (const std::string_view key : {"provider", "rubricPrompt"}) note("options", key, ItemKind::run, "");
  for (const std::string_view key : {"prompts", "providers"}) note("", key, ItemKind::agent, "");
  if (simulated_provider(each) == nullptr) note("", "provider", ItemKind::agent, "");
  add_other_keys(draft, each);
}

void SuiteReader::add_threshold(TestDraft& draft, const Case& each) {
  if (const Node* threshold = each.test.find("threshold"))
    apply_threshold(conversion_, draft, at_setting(each, *threshold, "").source, *threshold);
}

void SuiteReader::add_alone(const Case& each) {
  const At at = at_of(each);
  TestDraft draft = conversion_.begin_test(name_of(each), at);
  if (const Prompt* prompt = prompt_of(each)) {
    for (const Message& message : prompt->history)
      draft.test.history.push_back(
          {message.role, rendered(message.text, each.variables).value_or(message.text)});
  }
  add_turn(draft, each);
  add_about(draft, each);
  add_settings(draft, each);
  add_assertions(draft, each, {"turn:0", 0, false});
  add_threshold(draft, each);
  conversion_.finish(std::move(draft), at);
}

void SuiteReader::add_conversation(const std::vector<const Case*>& cases) {
  const Case& first = *cases.front();
  const At at = at_of(first);
  const std::string& id = first.conversation;
  TestDraft draft = conversion_.begin_test(id.empty() ? stem_of(source_.path) : id, at);
  if (id.empty() && first.scenario == 0 && cases.size() > 1) {
    conversion_.note(draft, at,
                     {.kind = ItemKind::run,
                      .outcome = Outcome::ignored,
                      .source = "_conversation",
                      .text = "no conversationId: all tests of the file are one conversation"});
  }
  std::size_t turn = 0;
  for (const Case* each : cases) {
    if (!each->conversation.empty()) {
      conversion_.note(draft, at_of(*each),
                       {.source = "conversationId", .text = each->conversation, .became = {"turn"}});
    }
    const bool is_said = add_turn(draft, *each);
    add_assertions(draft, *each, {"turn:" + std::to_string(turn), turn, cases.size() > 1});
    if (is_said) ++turn;
    add_settings(draft, *each);
    if (cases.size() > 1) add_turn_about(draft, *each);
  }
  if (cases.size() == 1) {
    add_about(draft, first);
    add_threshold(draft, first);
  } else {
    add_conversation_about(draft, cases);
  }
  conversion_.finish(std::move(draft), at);
}

void SuiteReader::add_simulated(const Case& each, const Node& provider) {
  const At at = at_of(each);
  TestDraft draft = conversion_.begin_test(name_of(each), at);
  const Briefing briefing = briefing_of(conversion_, source_, provider, each.variables);
  const std::string given = as_text(briefing.instructions);
  const auto goal = is_file_reference(given) ? std::nullopt : rendered(given, each.variables);
  if (goal && !goal->empty()) {
    conversion_.set_goal(draft, *goal, at, {.source = "instructions"});
  } else {
    conversion_.note(draft, at,
                     {.kind = ItemKind::turn,
                      .outcome = Outcome::not_mapped,
                      .source = "instructions",
                      .text = given,
                      .why = "the simulated user has no instructions, or code in them"});
    draft.cannot_play = true;
  }
  draft.test.max_turns = turns_max_of(provider);
  if (!briefing.initial.is_null()) {
    add_initial(conversion_, draft, {*each.source, briefing.initial.place}, briefing.initial, each.variables);
  }
  Case about = each;
  about.variables.erase("instructions");
  add_about(draft, about);
  add_settings(draft, each);
  add_assertions(draft, each, {"", 0, false, true});
  add_threshold(draft, each);
  conversion_.finish(std::move(draft), at);
}

void SuiteReader::add_recorded(const Case& each, const Node& recorded) {
  const At at = at_of(each);
  LogDraft log;
  TestDraft draft = conversion_.begin_test(name_of(each), at);
  std::size_t turn = 0;
  for (const Node& exchange : recorded.items) {
    const std::string input = exchange.text_of("input");
    conversion_.say(draft, input, {*each.source, exchange.place}, {.source = "_conversation"});
    log.say(true, input);
    if (const Node* output = exchange.find("output")) log.say(false, as_text(*output));
    ++turn;
  }
  add_about(draft, each);
  add_settings(draft, each);
  add_assertions(draft, each, {"", turn, false});
  add_threshold(draft, each);
  log.checks = draft.test.checks;
  conversion_.finish_log(std::move(log), at);
  conversion_.finish(std::move(draft), at);
}

}  // namespace parley::convert
