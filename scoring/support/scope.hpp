#pragma once
/// The texts that a type checks: `config.scope` selects among the chatbot's messages, or, with `target`,
/// `pointer` and `name`, among texts inside the metadata of messages, tool calls, events or actions. Also
/// combines the single answers into one verdict (D31). Pure functions; any thread.

#include <array>
#include <deque>
#include <functional>
#include <optional>

#include "scoring/support/kind.hpp"

namespace parley::scoring {

struct Scope {
  enum class Which : std::uint8_t { any, all, first, last, turn };
  Which which = Which::any;
  std::int64_t turn = 0;
};

/// Parses `any`, `all`, `first`, `last`, `turn:N`; nullopt for anything else.
[[nodiscard]] std::optional<Scope> scope_from_text(std::string_view text);

/// The keywords of `target`.
inline constexpr std::array<std::string_view, 4> target_words{"messages", "tools", "events", "actions"};

/// Adds the faults of `scope`, `pointer` and `name`; the table of keys checks that `target` is a keyword.
void check_scope(const json::Value& config, const std::string& pointer, Findings& findings);
/// Adds a fault if the value of the key is not a scope.
void check_scope_at(std::string_view key, const json::Value& config, const std::string& pointer,
                    Findings& findings);

/// The turn that the config selects, for a type that checks a whole turn.
struct TurnScope {
  std::optional<std::int64_t> turn;  ///< absent: the conversation has no such turn
  std::string phrase;                ///< as in `turn 3` or `the last turn`
};
/// Adds a fault unless `scope` is absent, turn:N, first or last.
void check_turn_scope(const json::Value& config, const std::string& pointer, Findings& findings);
/// nullopt: the whole conversation.
[[nodiscard]] std::optional<TurnScope> turn_scope_of(const json::Value& config,
                                                     const Conversation& conversation);

/// A text in scope and the entry that contains it.
struct ScopedText {
  const Entry* entry;
  std::string_view text;
};

/// The texts that a config checks. Views into the entries or into `kept`; do not copy.
struct ScopedTexts {
  std::vector<ScopedText> texts;
  std::deque<std::string> kept;
};
[[nodiscard]] ScopedTexts texts_in_scope(const json::Value& config, Conversation& conversation);

/// A question about each text in scope.
struct TextQuestion {
  std::string what;                             ///< as in `contains "refund"`
  std::function<bool(std::string_view)> holds;  ///< the answer for one text
  std::function<std::string(std::string_view)> found =
      {};                       ///< as in `has 12 characters`; default: says "..."
  Steps steps_per_byte = 0;     ///< cost of `holds`, beyond reading the text once
  bool pays_its_steps = false;  ///< `holds` charges all steps that it uses
};

/// With `any` and turn:N, one matching text is enough; with `all`, every text must match. A scope without texts
/// never holds, because a chatbot that said nothing has satisfied nothing.
[[nodiscard]] Verdict decide_texts(const json::Value& config, Conversation& conversation,
                                   const TextQuestion& question);
/// As above, for texts that the caller has already collected.
[[nodiscard]] Verdict decide_texts(const json::Value& config, const ScopedTexts& scoped,
                                   Conversation& conversation, const TextQuestion& question);

/// Adds the entry to the evidence if there is room.
void note(std::vector<Id>& evidence, const Entry& entry);

}  // namespace parley::scoring
