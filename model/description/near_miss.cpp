#include "model/description/near_miss.hpp"

#include <algorithm>
#include <array>

#include "model/text/nearest.hpp"

namespace parley {
namespace {

constexpr std::size_t distance_max = 2;
constexpr std::size_t field_chars_min = 4;
/// Longer names are not treated as misspellings; computing a distance costs the product of both lengths.
constexpr std::size_t name_bytes_max = 64;

/// Names for the same thing in different resources and in other tools.
using Same = std::array<std::string_view, 6>;
constexpr std::array same_things{
    Same{"assertions", "assertionResults", "asserts", "assert", "checks"},
    Same{"instruction", "testInstruction", "instructions", "prompt", "script"},
    Same{"scenario", "scenarioId", "scenario_id"},
    Same{"agent", "agentId", "agent_id", "agents"},
    Same{"test", "testId", "test_id"},
    Same{"run", "runId", "run_id"},
    Same{"testConfigs", "tests"},
    Same{"personality", "personalityId", "persona"},
    Same{"runGroup", "runGroupId", "group"},
    Same{"parentTest", "parent", "parentTestId"},
    Same{"isArchived", "archived"},
    Same{"isEnabled", "enabled", "active"},
    Same{"isManual", "manual"},
    Same{"isSmart", "smart"},
    Same{"isDisabled", "disabled"},
    Same{"content", "text", "message"},
    Same{"conversation", "messages", "entries"},
    Same{"externalLinks", "links"},
    Same{"sourceConversationLog", "log", "externalLog"},
    Same{"configuration", "config", "scenarioConfiguration"},
    Same{"repetitions", "repeat", "repeats"},
    Same{"maxConcurrentTests", "concurrency", "maxConcurrency"},
    Same{"unique_identifier", "uniqueIdentifier"},
};

bool is_same_thing(std::string_view a, std::string_view b) {
  return std::any_of(same_things.begin(), same_things.end(), [&](const Same& names) {
    const auto has = [&](std::string_view name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    return has(a) && has(b);
  });
}

/// The edit distance; more than distance_max for names that cannot be misspellings of each other.
std::size_t distance_to(std::string_view given, std::string_view field) {
  const std::size_t shorter = std::min(given.size(), field.size());
  const std::size_t longer = std::max(given.size(), field.size());
  if (field.size() < field_chars_min || longer - shorter > distance_max) return distance_max + 1;
  return edit_distance(given, field);
}

}  // namespace

std::optional<std::string_view> meant_field(std::string_view given, std::span<const std::string_view> taken) {
  if (given.empty() || given.size() > name_bytes_max) return std::nullopt;
  std::optional<std::string_view> nearest;
  std::size_t least = distance_max + 1;
  for (const std::string_view field : taken) {
    if (is_same_thing(given, field)) return field;
    const std::size_t apart = distance_to(given, field);
    if (apart < least) {
      least = apart;
      nearest = field;
    }
  }
  return nearest;
}

}  // namespace parley
