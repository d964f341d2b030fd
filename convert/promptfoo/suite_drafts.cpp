// The tests that SuiteReader adds: alone, as a conversation, with a simulated user, or as a recorded conversation.
#include "convert/promptfoo/settings.hpp"
#include "convert/promptfoo/suite_reader.hpp"

namespace parley::convert {
namespace {

const Node* setting_of(const Node& provider, std::string_view key) {
  const Node* config = provider.find("config");
  return config == nullptr ? nullptr : config->find(key);
}

}  // namespace

/// Variables, metadata and settings of a test.
void SuiteReader::add_about(TestDraft& draft, const Case& each) {
  for (const auto& [key, value] : each.variables) {
    const bool is_name = !key.empty() && key.size() <= 64 && key.find_first_of("{} \t") == std::string::npos;
    if (is_name && !value.is_map() && key != "_conversation") draft.test.fields[key] = as_text(value);
  }
  if (const Node* metadata = each.test.find("metadata");
      metadata != nullptr && metadata->is_map() && !metadata->items.empty()) {
    draft.test.metadata = to_json(*metadata);
    conversion_.note(draft, at_setting(each, *metadata, ""),
                     {.source = "metadata", .text = to_json(*metadata), .became = {"metadata"}});
  }
}

/// Metadata and threshold of one turn of a conversation, which is one test here.
void SuiteReader::add_turn_about(TestDraft& draft, const Case& each) {
  if (const Node* threshold = each.test.find("threshold")) {
    conversion_.note(draft, at_setting(each, *threshold, ""),
                     {.kind = ItemKind::run,
                      .outcome = Outcome::not_mapped,
                      .source = "threshold",
                      .text = as_text(*threshold),
                      .why = "it is for one turn, and the conversation is one test"});
  }
  const Node* metadata = each.test.find("metadata");
  if (metadata == nullptr || !metadata->is_map()) return;
  for (const Node& member : metadata->items) {
    if (member.key == "conversationId") continue;
    conversion_.note(draft, at_setting(each, member, "metadata"),
                     {.outcome = Outcome::not_mapped,
                      .source = "metadata",
                      .text = member.key + ": " + as_text(member),
                      .why = "it is for one turn, and the conversation is one test"});
  }
}

/// Options that are code, and settings of the prompt, the provider and the grader.
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
  for (const std::string_view key : {"transform", "postprocess", "transformVars"})
    note("options", key, ItemKind::run, "code is never run");
  note("options", "storeOutputAs", ItemKind::run, "a test does not use the answers of another one");
  note("", "assertScoringFunction", ItemKind::run, "code is never run");
  note("", "providerOutput", ItemKind::other, "the agent answers; a given answer is not checked");
  for (const std::string_view key : {"provider", "rubricPrompt"}) note("options", key, ItemKind::run, "");
  for (const std::string_view key : {"prompts", "providers"}) note("", key, ItemKind::agent, "");
  if (simulated_provider(each) == nullptr) note("", "provider", ItemKind::agent, "");
}

void SuiteReader::add_alone(const Case& each) {
  const At at = at_of(each);
  TestDraft draft = conversion_.begin_test(name_of(each), at);
  for (const Message& message : prompt_.history) {
    draft.test.history.push_back(
        {message.role, rendered(message.text, each.variables).value_or(message.text)});
  }
  add_turn(draft, each);
  add_about(draft, each);
  add_settings(draft, each);
  add_assertions(draft, each, {"turn:0", 0, false});
  if (const Node* threshold = each.test.find("threshold"))
    apply_threshold(conversion_, draft, at_setting(each, *threshold, "").source, *threshold);
  conversion_.finish(std::move(draft), at);
}

void SuiteReader::add_conversation(const std::vector<const Case*>& cases) {
  const Case& first = *cases.front();
  const At at = at_of(first);
  const std::string& id = first.conversation;
  TestDraft draft = conversion_.begin_test(id.empty() ? stem_of(source_.path) : id, at);
  if (id.empty() && cases.size() > 1) {
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
    if (const Node* threshold = first.test.find("threshold"))
      apply_threshold(conversion_, draft, at_setting(first, *threshold, "").source, *threshold);
  }
  conversion_.finish(std::move(draft), at);
}

void SuiteReader::add_simulated(const Case& each, const Node& provider) {
  const At at = at_of(each);
  TestDraft draft = conversion_.begin_test(name_of(each), at);
  const Node* template_text = setting_of(provider, "instructions");
  const auto variable = each.variables.find("instructions");
  std::optional<std::string> goal;
  if (template_text != nullptr) goal = rendered(as_text(*template_text), each.variables);
  if (template_text == nullptr && variable != each.variables.end())
    goal = rendered(as_text(variable->second), each.variables);
  if (goal && !goal->empty()) {
    conversion_.set_goal(draft, *goal, at, {.source = "instructions"});
  } else {
    conversion_.note(draft, at,
                     {.kind = ItemKind::turn,
                      .outcome = Outcome::not_mapped,
                      .source = "instructions",
                      .why = "the simulated user has no instructions, or code in them"});
    draft.cannot_play = true;
  }
  const Node* turns = setting_of(provider, "maxTurns");
  draft.test.max_turns = 10;
  if (turns != nullptr && turns->number() && *turns->number() >= 1 && *turns->number() <= 10'000) {
    draft.test.max_turns = static_cast<std::int64_t>(*turns->number());
  }
  const Node* initial = setting_of(provider, "initialMessages");
  if (initial == nullptr && each.variables.contains("initialMessages"))
    initial = &each.variables.at("initialMessages");
  if (initial != nullptr) {
    for (const Node& message : opened(*initial).items) {
      draft.test.history.push_back(
          {message.text_of("role") == "user" ? "user" : "assistant", message.text_of("content")});
    }
    conversion_.note(draft, {*each.source, initial->place},
                     {.source = "initialMessages", .became = {"history"}});
  }
  Case about = each;
  about.variables.erase("instructions");
  add_about(draft, about);
  add_settings(draft, each);
  add_assertions(draft, each, {"", 0, false});
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
  log.checks = draft.test.checks;
  conversion_.finish_log(std::move(log), at);
  conversion_.finish(std::move(draft), at);
}

}  // namespace parley::convert
