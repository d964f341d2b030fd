#include "convert/botium/memory.hpp"

#include <algorithm>

namespace parley::convert {
namespace {

using Rows = std::vector<std::vector<std::string>>;

std::string cell_of(const std::vector<std::string>& cells, std::size_t at) {
  return at < cells.size() ? cells[at] : std::string();
}

Rows transposed(const Rows& lines) {
  Rows out(lines.front().size());
  for (const std::vector<std::string>& line : lines) {
    for (std::size_t i = 0; i < out.size(); ++i) out[i].push_back(cell_of(line, i));
  }
  return out;
}

/// Reads the lines of a table: the first has the variables, each other line a case.
void add_cases(const Rows& lines, ConvoLibrary& library) {
  for (std::size_t i = 1; i < lines.size(); ++i) {
    MemoryRow row{cell_of(lines[i], 0), {}};
    for (std::size_t k = 1; k < lines.front().size(); ++k)
      row.values[lines.front()[k]] = cell_of(lines[i], k);
    if (!row.values.empty()) add_memory(library, std::move(row));
  }
}

}  // namespace

void add_memory(ConvoLibrary& library, MemoryRow&& row) {
  const auto has_same_variables = [&](const std::vector<MemoryRow>& rows) {
    const auto& known = rows.front().values;
    return std::equal(known.begin(), known.end(), row.values.begin(), row.values.end(),
                      [](const auto& a, const auto& b) { return a.first == b.first; });
  };
  const auto found = std::find_if(library.memory.begin(), library.memory.end(), has_same_variables);
  if (found != library.memory.end()) {
    found->push_back(std::move(row));
  } else {
    library.memory.push_back({std::move(row)});
  }
}

void add_memory_table(const std::vector<std::vector<std::string>>& lines, ConvoLibrary& library) {
  if (lines.size() < 2) return;
  add_cases(cell_of(lines[1], 0).starts_with('$') ? transposed(lines) : lines, library);
}

}  // namespace parley::convert
