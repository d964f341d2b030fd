#include "client/suite/compiled_suite.hpp"

#include <array>
#include <numeric>
#include <string>

#include "model/text/ascii.hpp"

namespace parley::client {

std::string_view word_of(Level level) {
  static constexpr std::array<std::string_view, 3> words{"must", "should", "could"};
  return words[static_cast<std::size_t>(level)];
}

std::optional<Ratio> ratio_of(std::string_view text) {
  constexpr std::size_t digits_max = 4;
  const auto number = [](std::string_view digits) {
    const bool is_number = ascii::is_digits(digits) && digits.size() <= digits_max;
    return is_number ? std::stoll(std::string(digits)) : 0;
  };
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const Ratio ratio(number(text.substr(0, slash)), number(text.substr(slash + 1)));
  return ratio.first >= 1 && ratio.first <= ratio.second ? std::optional(ratio) : std::nullopt;
}

std::int64_t case_count(const CompiledSuite& suite) {
  return std::accumulate(suite.cells.begin(), suite.cells.end(), std::int64_t{0},
                         [](std::int64_t sum, const Cell& cell) { return sum + cell.repeat; });
}

}  // namespace parley::client
