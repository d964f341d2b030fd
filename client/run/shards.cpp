#include "client/run/shards.hpp"

#include <map>
#include <set>

#include "client/run/selection.hpp"

namespace parley::client {
namespace {

constexpr std::size_t named_max = 20;

/// Names the absent shards `I/N`: the first named_max, and then `...`.
std::vector<std::string> names_of_absent(std::int64_t count, const std::set<std::int64_t>& present) {
  std::vector<std::string> names;
  for (std::int64_t i = 1; i <= count && names.size() <= named_max; ++i)
    if (!present.contains(i)) names.push_back(std::to_string(i) + "/" + std::to_string(count));
  if (names.size() > named_max) names.back() = "...";
  return names;
}

}  // namespace

std::string absent_shards(const std::vector<RunRow>& runs, std::size_t reports_without_runs) {
  constexpr std::string_view prefix = "shard ";
  std::map<std::int64_t, std::set<std::int64_t>> present;  // by the number of all shards
  for (const RunRow& each : runs) {
    if (!each.part.starts_with(prefix)) continue;
    if (const auto shard = shard_of(std::string_view(each.part).substr(prefix.size())))
      present[shard->count].insert(shard->index);
  }
  for (const auto& [count, numbers] : present) {
    if (static_cast<std::int64_t>(numbers.size() + reports_without_runs) >= count) continue;
    const std::vector<std::string> names = names_of_absent(count, numbers);
    std::string all;
    for (const std::string& each : names) all += (all.empty() ? "" : ", ") + each;
    return (names.size() == 1 ? "the report of shard " + all + " is missing"
                              : "the reports of shards " + all + " are missing") +
           ": give the files of all shards (--allow-missing lets it pass)";
  }
  return "";
}

}  // namespace parley::client
