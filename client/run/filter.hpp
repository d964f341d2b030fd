#pragma once
/// The filter language of the web page and of the command line. Pure; any thread.
///
///   expr = term {term}      all terms must hold
///   term = [-] key (":" | "=" | ">" | "<") value  |  [-] "text"  |  [-] word
///
/// `:` holds if a value of the key contains the text, and `=` if a value equals it. `>` and `<` compare numbers. A
/// text or word without a key is searched in every value. Matching ignores case, and `*` matches any characters.

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "model/expected.hpp"

namespace parley::client {

struct FilterTerm {
  bool is_negated = false;
  std::string key;  ///< empty: every key
  char relation = ':';
  std::string value;
};

/// The values of a row to filter, by key.
using FilterValues = std::multimap<std::string, std::string>;

class Filter {
 public:
  /// Problem: an unterminated quotation mark, an unknown key (with the most similar known key), or a comparison with
  /// a value that is not a number.
  [[nodiscard]] static Expected<Filter> parse(std::string_view text, const std::vector<std::string>& keys);
  [[nodiscard]] bool holds(const FilterValues& values) const;

 private:
  std::vector<FilterTerm> terms_;
};

/// Whether the pattern matches the whole text. `*` matches any characters and `?` one character. Ignores case.
[[nodiscard]] bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace parley::client
