#pragma once
/// `config.scope`: which chatbot messages a type that looks at texts is about, and how their single answers
/// become one verdict (D31). Pure functions; any thread.

#include <functional>
#include <optional>

#include "scoring/kind.hpp"

namespace parley::scoring {

struct Scope {
  enum class Which : std::uint8_t { any, all, first, last, turn };
  Which which = Which::any;
  std::int64_t turn = 0;
};

/// Reads `any`, `all`, `first`, `last`, `turn:N`; nullopt for anything else.
[[nodiscard]] std::optional<Scope> scope_from_text(std::string_view text);

void check_scope(const json::Value& config, const std::string& pointer, Findings& findings);

/// A question to each message in scope.
struct MessageQuestion {
  std::string what;                                     ///< as in `contains "refund"`
  std::function<bool(const Entry&)> holds;              ///< the answer for one message
  std::function<std::string(const Entry&)> found = {};  ///< as in `has 12 characters`; default: says "..."
};

/// any and turn:N hold when some message does, all when every one does. A scope without messages never holds:
/// a chatbot that said nothing has satisfied nothing.
[[nodiscard]] Verdict decide_messages(const json::Value& config, const Conversation& conversation,
                                      const MessageQuestion& question);

/// Adds the entry to the evidence while there is room.
void note(std::vector<Id>& evidence, const Entry& entry);

}  // namespace parley::scoring
