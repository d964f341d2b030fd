#pragma once
/// Texts as assertions compare and quote them (D31). Pure functions over UTF-8; any thread.

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "scoring/support/work.hpp"

namespace parley::scoring {

/// What a comparison leaves out of account.
struct Ignored {
  bool letter_case = false;
  bool commas = false;
  bool whitespace = false;
  bool punctuation = false;
};

/// The words of `ignore`, in the order of docs and messages.
inline constexpr std::array<std::string_view, 4> ignore_words{"case", "commas", "whitespace", "punctuation"};

/// Sets what the word names; an unknown word sets nothing and gives false.
bool ignore_by_word(Ignored& ignored, std::string_view word);

/// The text in the form in which it is compared: NFKC case-folded for `case`, characters of the other classes
/// taken out. Plain ASCII takes a short way to the same answer.
[[nodiscard]] std::string comparable(std::string_view text, const Ignored& ignored);

/// The text without the white space at both ends, as Unicode knows it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

/// True when `text` holds `part`, in time linear in both: hostile texts must not make it quadratic (F23).
[[nodiscard]] bool holds(std::string_view text, std::string_view part);

/// A part of a text, in bytes.
struct Span {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool operator==(const Span&) const = default;
};
/// Where a compared part may be.
enum class Edge : std::uint8_t { none, start, end };
/// The part of `text` whose comparable form is `part`, which is comparable() already: its first occurrence, or the one at
/// the edge. nullopt without one, for texts beyond 64 KiB, and where the form of the whole is not that of its characters.
[[nodiscard]] std::optional<Span> place_of(std::string_view text, std::string_view part,
                                           const Ignored& ignored, Edge edge = Edge::none);

/// What it costs to read the text once as it is compared, about.
[[nodiscard]] Steps reading_steps(std::string_view text);

/// The number of words in the text: runs of characters that are not white space.
[[nodiscard]] std::size_t words_in(std::string_view text);
/// The characters of the text; bytes that are not UTF-8 count as themselves.
[[nodiscard]] std::u32string code_points(std::string_view text);

/// The text in quotes, cut after 200 characters.
[[nodiscard]] std::string in_quotes(std::string_view text);
/// The text without quotes, cut after 200 characters.
[[nodiscard]] std::string shortened(std::string_view text);
/// `"a", "b"`
[[nodiscard]] std::string quoted_list(const std::vector<std::string_view>& texts);
/// "1 tool call", "3 tool calls"
[[nodiscard]] std::string counted(std::size_t count, std::string_view noun);

}  // namespace parley::scoring
