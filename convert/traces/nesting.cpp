#include "convert/traces/nesting.hpp"

#include <cstddef>
#include <utility>

namespace parley::convert {
namespace {

/// Maximum number of ancestors to follow: more than any framework opens, and a cycle ends here.
constexpr std::size_t levels_above_max = 256;

}  // namespace

void Nesting::add(const std::string& id, std::string parent, bool is_tool) {
  if (!id.empty()) places_[id] = {std::move(parent), is_tool};
}

bool Nesting::is_in_tool(const std::string& id) const {
  auto at = places_.find(id);
  for (std::size_t level = 0; level < levels_above_max && at != places_.end(); ++level) {
    at = places_.find(at->second.parent);
    if (at != places_.end() && at->second.is_tool) return true;
  }
  return false;
}

}  // namespace parley::convert
