#include "model/text/nearest.hpp"

#include <algorithm>

namespace parley {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0U : 1U)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

std::string nearest(std::string_view name, const std::vector<std::string>& names) {
  std::string found;
  std::size_t least = std::max<std::size_t>(2, name.size() / 3) + 1;
  for (const std::string& each : names) {
    const std::size_t here = edit_distance(name, each);
    if (here < least) {
      least = here;
      found = each;
    }
  }
  return found;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& names) {
  const std::string meant = nearest(name, names);
  return meant.empty() ? "" : "; did you mean \"" + meant + "\"?";
}

}  // namespace parley
