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

std::string absent_shards(const Report& report, std::size_t unnamed) {
  constexpr std::string_view prefix = "shard ";
  std::map<std::int64_t, std::set<std::int64_t>> present;  // by the number of all shards
  const auto shard_in = [&](const std::string& part) -> std::optional<Shard> {
    if (!part.starts_with(prefix)) return std::nullopt;
    const auto shard = shard_of(std::string_view(part).substr(prefix.size()));
    return shard ? std::optional(*shard) : std::nullopt;
  };
  for (const RunRow& each : report.runs)
    if (const auto shard = shard_in(each.part)) present[shard->count].insert(shard->index);
  // A run with all tests has no part, so shards without tests are not counted alone.
  for (const std::string& each : report.empty_parts)
    if (const auto shard = shard_in(each); shard && present.contains(shard->count))
      present[shard->count].insert(shard->index);
  for (const auto& [count, numbers] : present) {
    if (static_cast<std::int64_t>(numbers.size() + unnamed) >= count) continue;
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
