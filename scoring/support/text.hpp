#pragma once
/// Compares and quotes texts for assertions (D31). Pure functions over UTF-8; any thread.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/support/work.hpp"

namespace parley::scoring {

/// The differences that a comparison ignores.
struct Ignored {
  bool letter_case = false;
  bool commas = false;
  bool whitespace = false;
  bool punctuation = false;
};

/// The keywords of `ignore`, in the order of docs and messages.
inline constexpr std::array<std::string_view, 4> ignore_words{"case", "commas", "whitespace", "punctuation"};

/// Sets the flag for the keyword; returns false for an unknown keyword.
bool ignore_by_word(Ignored& ignored, std::string_view word);

/// The form in which a text is compared: NFKC case-folded for `case`, without the characters of the other
/// classes. Plain ASCII has a faster path with the same result.
[[nodiscard]] std::string comparable(std::string_view text, const Ignored& ignored);

/// The text without white space (as defined by Unicode) at both ends.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// Whether `text` contains `part`, in time linear in both: hostile texts must not make it quadratic (F23).
[[nodiscard]] bool holds(std::string_view text, std::string_view part);

/// A part of a text, in bytes.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};
/// Where the compared part must be.
enum class Edge : std::uint8_t { none, start, end };
/// The span of `text` whose comparable form is `part`, which is already comparable(): its first occurrence, or
/// the one at the edge. nullopt if there is no match, for texts beyond 64 KiB, and if the form of the whole
/// differs from that of its characters.
[[nodiscard]] std::optional<Span> place_of(std::string_view text, std::string_view part,
                                           const Ignored& ignored, Edge edge = Edge::none);

/// The approximate cost of reading the text once in its comparable form.
[[nodiscard]] Steps reading_steps(std::string_view text);

/// The number of words in the text: runs of characters that are not white space.
[[nodiscard]] std::size_t words_in(std::string_view text);
/// The characters of the text; each byte that is not UTF-8 is one character.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// The text in quotes, truncated to 200 characters.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// The text without quotes, truncated to 200 characters.
[[nodiscard]] std::string shortened(std::string_view text);
/// `"a", "b"`
[[nodiscard]] std::string quoted_list(const std::vector<std::string_view>& texts);
/// "1 tool call", "3 tool calls"
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

}  // namespace parley::scoring
