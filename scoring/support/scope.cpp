#include "scoring/support/scope.hpp"

#include <charconv>

#include "scoring/support/config.hpp"
#include "scoring/support/text.hpp"

namespace parley::scoring {
namespace {

using Which = Scope::Which;

Scope scope_of(const json::Value& config) {
  const auto text = text_at(config, "scope");
  return text ? scope_from_text(*text).value_or(Scope{}) : Scope{};
}

std::string_view target_of(const json::Value& config) {
  return text_at(config, "target").value_or("messages");
}

/// The noun for a target; empty for an unknown target.
std::string_view noun_of(std::string_view target) {
  if (target == "messages") return "chatbot message";
  if (target == "tools") return "tool call";
  if (target == "events") return "event";
  return target == "actions" ? "action" : "";
}

bool is_target(const Entry& entry, std::string_view target) {
  if (target == "messages") return is_chatbot_message(entry);
  if (target == "tools") return entry.type == EntryType::tool;
  if (target == "events") return is_event(entry.type);
  return entry.type == EntryType::action;
}

std::string subject_phrase(const Scope& scope, const json::Value& config) {
  const auto name = text_at(config, "name");
  const auto pointer = text_at(config, "pointer");
  const std::string noun = std::string(noun_of(target_of(config))) + (name ? " " + in_quotes(*name) : "");
  const std::string at = pointer ? " at " + shortened(*pointer) + " " : " ";
  switch (scope.which) {
    case Which::any: return "some " + noun + at;
    case Which::all: return "every " + noun + at;
    case Which::first: return "the first " + noun + at;
    case Which::last: return "the last " + noun + at;
    case Which::turn: break;
  }
  return "some " + noun + " of turn " + std::to_string(scope.turn) + at;
}

std::string found_phrase(const TextQuestion& question, std::string_view noun, const ScopedText& text) {
  const std::string what = question.found ? question.found(text.text) : "says " + in_quotes(text.text);
  return "the " + std::string(noun) + " of turn " + std::to_string(text.entry->turn) + " " + what;
}

void keep_in_scope(const Scope& scope, std::vector<ScopedText>& texts) {
  if (scope.which == Which::first && texts.size() > 1) texts.erase(texts.begin() + 1, texts.end());
  if (scope.which == Which::last && texts.size() > 1) texts.erase(texts.begin(), texts.end() - 1);
  if (scope.which == Which::turn)
    std::erase_if(texts, [&](const ScopedText& text) { return text.entry->turn != scope.turn; });
}

}  // namespace

std::optional<Scope> scope_from_text(std::string_view text) {
  if (text == "any") return Scope{Which::any};
  if (text == "all") return Scope{Which::all};
  if (text == "first") return Scope{Which::first};
  if (text == "last") return Scope{Which::last};
  constexpr std::string_view turn_prefix = "turn:";
  if (!text.starts_with(turn_prefix)) return std::nullopt;
  const std::string_view digits = text.substr(turn_prefix.size());
  if (digits.size() > 1 && digits.front() == '0') return std::nullopt;
  Scope scope{Which::turn};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), scope.turn);
  if (error != std::errc{} || end != digits.data() + digits.size() || scope.turn < 0) return std::nullopt;
  return scope;
}

void check_scope_at(std::string_view key, const json::Value& config, const std::string& pointer,
                    Findings& findings) {
  const auto text = text_at(config, key);
  if (text && !scope_from_text(*text)) {
    findings.add(pointer + "/" + std::string(key), "must be any, all, first, last or turn:N with N from 0");
  }
}

void check_scope(const json::Value& config, const std::string& pointer, Findings& findings) {
  check_scope_at("scope", config, pointer, findings);
  const std::string_view target = target_of(config);
  const auto at = text_at(config, "pointer");
  if (at && !json::is_pointer(*at)) {
    findings.add(pointer + "/pointer", "must be empty or begin with '/' (RFC 6901)");
  }
  if (!at && target != "messages" && !noun_of(target).empty()) {
    findings.add(pointer + "/pointer",
                 "is required with this target: where the text is in the entry's metadata");
  }
  if (text_at(config, "name") && target == "messages") {
    findings.add(pointer + "/name", "is for tools, events and actions: set target too");
  }
}

void check_turn_scope(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto text = text_at(config, "scope");
  if (!text) return;
  const auto scope = scope_from_text(*text);
  if (!scope || scope->which == Which::any || scope->which == Which::all)
    findings.add(pointer + "/scope", "must be first, last or turn:N with N from 0");
}

std::optional<TurnScope> turn_scope_of(const json::Value& config, const Conversation& conversation) {
  const auto text = text_at(config, "scope");
  const auto scope = text ? scope_from_text(*text) : std::nullopt;
  if (!scope) return std::nullopt;
  if (scope->which == Which::first) return TurnScope{conversation.first_turn(), "the first turn"};
  if (scope->which == Which::last) return TurnScope{conversation.last_turn(), "the last turn"};
  return TurnScope{scope->turn, "turn " + std::to_string(scope->turn)};
}

ScopedTexts texts_in_scope(const json::Value& config, Conversation& conversation) {
  const Scope scope = scope_of(config);
  const auto pointer = text_at(config, "pointer");
  const auto name = text_at(config, "name");
  const std::string_view target = target_of(config);
  ScopedTexts scoped;
  for (const Entry& entry : conversation.entries()) {
    if (!is_target(entry, target) || (name && entry.name != *name)) continue;
    if (!pointer) {
      scoped.texts.push_back({&entry, entry.content ? std::string_view(*entry.content) : std::string_view()});
      continue;
    }
    const auto value = json::at_pointer(conversation.metadata(entry), *pointer);
    if (!value) continue;
    // The next entry may invalidate the tree, so the text is copied.
    scoped.kept.push_back(json::as_text(*value));
    scoped.texts.push_back({&entry, scoped.kept.back()});
  }
  keep_in_scope(scope, scoped.texts);
  return scoped;
}

Verdict decide_texts(const json::Value& config, Conversation& conversation, const TextQuestion& question) {
  return decide_texts(config, texts_in_scope(config, conversation), conversation, question);
}

Verdict decide_texts(const json::Value& config, const ScopedTexts& scoped, Conversation& conversation,
                     const TextQuestion& question) {
  const Scope scope = scope_of(config);
  const std::string_view noun = noun_of(target_of(config));
  Verdict verdict{AssertionStatus::failed, subject_phrase(scope, config) + question.what, {}, {}};
  if (scoped.texts.empty()) {
    verdict.found =
        "there is no " + std::string(noun) + (scope.which == Which::turn ? " in that turn" : " in scope");
    return verdict;
  }
  Steps steps = 0;
  for (const ScopedText& text : scoped.texts) {
    if (!question.pays_its_steps)
      steps += reading_steps(text.text) + text.text.size() * question.steps_per_byte;
  }
  if (!conversation.work().take(steps)) return {.found = std::string(too_much_work)};
  std::vector<ScopedText> holding;
  std::vector<ScopedText> others;
  for (const ScopedText& text : scoped.texts) {
    if (conversation.is_stopped()) return {};
    if (conversation.work().ran_out()) return {.found = std::string(too_much_work)};
    (question.holds(text.text) ? holding : others).push_back(text);
  }

  const bool passed = scope.which == Which::all ? others.empty() : !holding.empty();
  verdict.status = passed ? AssertionStatus::passed : AssertionStatus::failed;
  // The evidence is the matching texts if one match was enough, else the texts that do not match.
  const auto& resting = passed ? holding : others;
  for (const ScopedText& text : resting) note(verdict.evidence, *text.entry);
  const bool all_alike = holding.empty() || others.empty();
  if (scoped.texts.size() > 1 && all_alike) {
    verdict.found = std::string(holding.empty() ? "none" : "each") + " of " +
                    counted(scoped.texts.size(), noun) + " does; ";
  }
  verdict.found += found_phrase(question, noun, passed ? resting.front() : resting.back());
  return verdict;
}

void note(std::vector<Id>& evidence, const Entry& entry) {
  if (evidence.size() < evidence_max) evidence.push_back(entry.id);
}

}  // namespace parley::scoring
