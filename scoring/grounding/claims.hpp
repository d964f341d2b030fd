#pragma once
/// Claims that code can check (D24): the numbers, amounts, dates, times, ids and addresses in the chatbot's messages.
/// Each is traced to earlier entries that are not the chatbot's: tool results, tester turns, events, or given
/// knowledge. Unsupported means that no source states the value, not that it is false. tests/scoring/labels/README.md
/// defines the rule. Pure functions, linear in the conversation; any thread, but long conversations cost CPU.

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/support/conversation.hpp"

namespace parley::scoring {

enum class ClaimKind : std::uint8_t { number, money, date, time, id, email, url, prose };

}  // namespace parley::scoring

template <>
struct parley::Words<parley::scoring::ClaimKind> {
  static constexpr std::array<std::string_view, 8> all{"number", "money", "date", "time",
                                                       "id",     "email", "url",  "prose"};
};

namespace parley::scoring {

/// A value that appears in a text.
struct Mention {
  ClaimKind kind;
  std::size_t begin;  ///< byte offsets into the text
  std::size_t end;
  /// Values with the same meaning have the same form: "7:05 PM" and "19:05:00" are equal.
  std::string value;
  bool operator==(const Mention&) const = default;
};

/// The claims of a text. Excludes numbers that number the text's own items ("1.", "Option 2").
[[nodiscard]] std::vector<Mention> claims_in(std::string_view text);
/// All values in a text that may support claims, including numbered items.
[[nodiscard]] std::vector<Mention> values_in(std::string_view text);

/// A claim in a chatbot message and its source: the record of D24.
struct ExtractedClaim {
  std::string text;
  Id entry;  ///< the chatbot message
  ClaimKind kind = ClaimKind::number;
  /// The last entry before the message that states the value; null for given knowledge.
  std::optional<Id> source;
  bool supported = false;
  std::size_t begin = 0;  ///< byte offsets into the message
  std::size_t end = 0;
  bool operator==(const ExtractedClaim&) const = default;
};

/// The maximum number of claims of one conversation; the chatbot's later claims are ignored.
inline constexpr std::size_t claims_max = 10'000;

/// The claims of all chatbot messages in the order of the conversation. `given`: other knowledge of the agent,
/// such as its policy and its instructions.
[[nodiscard]] std::vector<ExtractedClaim> trace_claims(const Subject& subject,
                                                       std::span<const std::string_view> given = {});

/// The claims as the JSON array of API responses (D24): {text, entry, kind, source, supported}.
[[nodiscard]] json::Text shown_claims(std::span<const ExtractedClaim> claims);

}  // namespace parley::scoring
