#include "scoring/scope.hpp"

#include <charconv>

#include "scoring/config.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

using Which = Scope::Which;

Scope scope_of(const json::Value& config) {
  const auto text = text_at(config, "scope");
  return text ? scope_from_text(*text).value_or(Scope{}) : Scope{};
}

std::vector<const Entry*> messages_in(const Scope& scope, const Conversation& conversation) {
  const auto& all = conversation.chatbot_messages();
  if (all.empty()) return {};
  switch (scope.which) {
    case Which::any:
    case Which::all: return all;
    case Which::first: return {all.front()};
    case Which::last: return {all.back()};
    case Which::turn: break;
  }
  std::vector<const Entry*> of_turn;
  for (const Entry* message : all) {
    if (message->turn == scope.turn) of_turn.push_back(message);
  }
  return of_turn;
}

std::string subject_phrase(const Scope& scope) {
  switch (scope.which) {
    case Which::any: return "some chatbot message ";
    case Which::all: return "every chatbot message ";
    case Which::first: return "the first chatbot message ";
    case Which::last: return "the last chatbot message ";
    case Which::turn: break;
  }
  return "some chatbot message of turn " + std::to_string(scope.turn) + " ";
}

std::string found_phrase(const MessageQuestion& question, const Entry& message) {
  const std::string what =
      question.found ? question.found(message) : "says " + quoted(message.content.value_or(""));
  return "the chatbot message of turn " + std::to_string(message.turn) + " " + what;
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
  Scope scope{Which::turn};
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), scope.turn);
  if (error != std::errc{} || end != digits.data() + digits.size() || scope.turn < 0) return std::nullopt;
  return scope;
}

void check_scope(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto text = text_at(config, "scope");
  if (text && !scope_from_text(*text)) {
    findings.add(pointer + "/scope", "must be any, all, first, last or turn:N with N from 0");
  }
}

Verdict decide_messages(const json::Value& config, const Conversation& conversation,
                        const MessageQuestion& question) {
  const Scope scope = scope_of(config);
  const auto messages = messages_in(scope, conversation);
  Verdict verdict{AssertionStatus::failed, subject_phrase(scope) + question.what, {}, {}};
  if (messages.empty()) {
    verdict.found = scope.which == Which::turn ? "there is no chatbot message in that turn" : "there is none";
    return verdict;
  }
  std::vector<const Entry*> holding;
  std::vector<const Entry*> others;
  for (const Entry* message : messages) (question.holds(*message) ? holding : others).push_back(message);

  const bool passed = scope.which == Which::all ? others.empty() : !holding.empty();
  verdict.status = passed ? AssertionStatus::passed : AssertionStatus::failed;
  // The verdict rests on the messages that hold where one was enough, on the others where one was too many.
  const auto& resting = passed ? holding : others;
  for (const Entry* message : resting) note(verdict.evidence, *message);
  const bool all_alike = holding.empty() || others.empty();
  if (messages.size() > 1 && all_alike) {
    verdict.found = std::string(holding.empty() ? "none" : "each") + " of " +
                    counted(messages.size(), "chatbot message") + " does; ";
  }
  verdict.found += found_phrase(question, passed ? *resting.front() : *resting.back());
  return verdict;
}

void note(std::vector<Id>& evidence, const Entry& entry) {
  if (evidence.size() < evidence_max) evidence.push_back(entry.id);
}

}  // namespace parley::scoring
