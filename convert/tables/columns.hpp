#pragma once
/// Determines the roles of the columns of a table, from the flags or from known headers. Pure.

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "convert/records/options.hpp"

namespace parley::convert {

/// What an expected value becomes.
enum class Expectation : std::uint8_t { by_length, type, intent };

struct ExpectedColumn {
  std::string name;
  Expectation how = Expectation::by_length;
  std::string type;  ///< for Expectation::type
};

struct Columns {
  enum class Shape : std::uint8_t { plain, lex, deepeval };
  Shape shape = Shape::plain;
  std::string family;  ///< shown to people: "MT-Bench", "flags"
  std::vector<std::string> say;
  std::vector<ExpectedColumn> expect;
  std::string detail;    ///< text appended to the first `say` column, such as Alpaca's input; empty: none
  std::string history;   ///< messages or exchanges before the first turn; empty: none
  std::string metadata;  ///< an object for the agent; empty: none
  std::string group;
  std::string order;
  std::string name;
  std::vector<std::string> references;  ///< further reference outputs, which no check compares
  std::vector<std::string> ignored;     ///< columns that only the source needs: dates, states
  std::vector<std::string> fields;      ///< named on the command line; empty: all other columns
};

/// The header in lowercase with underscores: `expectedOutput` and `Expected Output` become `expected_output`.
[[nodiscard]] std::string plain_header(std::string_view header);
/// The first header that is known to be the user's text or an answer; empty: none.
[[nodiscard]] std::string question_in(const std::set<std::string>& headers);
[[nodiscard]] std::string answer_in(const std::set<std::string>& headers);

/// Needs: the headers of a table, or the keys of its rows. Empty `say`: no column is known to be the user's text.
[[nodiscard]] Columns columns_of(const std::set<std::string>& headers, const Options& options);
/// The columns with the settings of the flags applied.
[[nodiscard]] Columns with_flags(Columns columns, const std::set<std::string>& headers,
                                 const Options& options);
/// Why a column that decides a verdict in the source decides none in parley; empty: it is another column.
[[nodiscard]] std::string why_unchecked(const Columns& columns, const std::string& name);
/// A description such as `flags: say question; expect answer (contains or criteria)`.
[[nodiscard]] std::string words_of(const Columns& columns);

}  // namespace parley::convert
