#include "client/suite/compiled_suite.hpp"

#include <array>
#include <numeric>

namespace parley::client {

std::string_view word_of(Level level) {
  static constexpr std::array<std::string_view, 3> words{"must", "should", "could"};
  return words[static_cast<std::size_t>(level)];
}

std::int64_t case_count(const CompiledSuite& suite) {
  return std::accumulate(suite.cells.begin(), suite.cells.end(), std::int64_t{0},
                         [](std::int64_t sum, const Cell& cell) { return sum + cell.repeat; });
}

}  // namespace parley::client
