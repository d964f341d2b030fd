#include "model/values/price_table.hpp"

#include <algorithm>

namespace parley {
namespace {

constexpr double million = 1e6;

/// Whether the whole text matches; `*` is any text. A star is retried only until the next one has matched.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = i;
    } else if (at < pattern.size() && pattern[at] == text[i]) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

}  // namespace

const Price* PriceTable::find(std::string_view model) const {
  auto found = std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return row.name == model; });
  if (found == rows_.end())
    found =
        std::find_if(rows_.begin(), rows_.end(), [&](const Row& row) { return matches(row.name, model); });
  return found == rows_.end() ? nullptr : &found->price;
}

std::optional<double> PriceTable::cost_of(std::string_view model, const ChatUsage& usage) const {
  const Price* price = find(model);
  if (price == nullptr || (!usage.input_tokens && !usage.output_tokens)) return std::nullopt;
  return (static_cast<double>(usage.input_tokens.value_or(0)) * price->input +
          static_cast<double>(usage.output_tokens.value_or(0)) * price->output) /
         million;
}

void PriceTable::complete(std::string_view model, ChatUsage& usage) const {
  if (!usage.cost) usage.cost = cost_of(model, usage);
}

}  // namespace parley
