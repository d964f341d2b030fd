#include "model/run.hpp"

#include <algorithm>

namespace parley {
namespace {

/// What testConfigs say of the case of the test that `place` others of it stand before; the last one beyond them, null where
/// none names the test.
const TestConfig* config_of_case(const Run& run, const Id& test, std::int64_t place) {
  const TestConfig* found = nullptr;
  for (const TestConfig& config : run.test_configs) {
    if (config.test.id != test) continue;
    found = &config;
    place -= config.repetitions.value_or(run.repetitions);
    if (place < 0) break;
  }
  return found;
}

}  // namespace

std::optional<Ref<RecordKind::personality>> personality_of(const Run& run, const TestConfig* config) {
  if (config != nullptr && config->personality) return config->personality;
  return run.personality;
}

std::optional<Ref<RecordKind::personality>> personality_of_case(const Run& run, const Id& test,
                                                                std::int64_t place) {
  return personality_of(run, config_of_case(run, test, place));
}

bool is_planned_in_parts(const Run& run, const Id& test) {
  return std::count_if(run.test_configs.begin(), run.test_configs.end(),
                       [&](const TestConfig& config) { return config.test.id == test; }) > 1;
}

}  // namespace parley
