#pragma once
/// Which column of a table is what: from the flags, or from headers that are known. Pure.

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
  std::string type;  ///< of Expectation::type
};

struct Columns {
  enum class Shape : std::uint8_t { plain, lex, deepeval };
  Shape shape = Shape::plain;
  std::string family;  ///< for people: "MT-Bench", "flags"
  std::vector<std::string> say;
  std::vector<ExpectedColumn> expect;
  std::string group;
  std::string order;
  std::string name;
  std::vector<std::string> fields;  ///< of the command line; empty: all other columns
};

/// Needs: the headers, or the keys of the first row. No `say`: no column is the user's text.
[[nodiscard]] Columns columns_of(const std::set<std::string>& headers, const Options& options);
/// `say question; expect answer (contains or criteria)`
[[nodiscard]] std::string words_of(const Columns& columns);

}  // namespace parley::convert
