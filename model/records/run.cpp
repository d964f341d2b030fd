#include "model/records/run.hpp"

#include <algorithm>

namespace parley {

std::string gate_of(const Run& run) {
  if (run.metadata.text.find("\"gate\"") == std::string::npos) return {};
  const auto document = json::parse(run.metadata.text);
  if (!document.ok()) return {};
  const auto gate = document->root().find("gate");
  return gate && gate->is(json::Kind::string) ? std::string(gate->string()) : std::string();
}

std::optional<Ref<RecordKind::personality>> personality_of(const Run& run, const TestConfig* config) {
  if (config != nullptr && config->personality) return config->personality;
  return run.personality;
}

std::optional<Ref<RecordKind::personality>> personality_of_case(const Run& run, const Id& test,
                                                                PersonalityCounts present) {
  const TestConfig* last = nullptr;
  for (const TestConfig& config : run.test_configs) {
    if (!config.test || config.test->id != test) continue;
    last = &config;
    // A result fills the first config that requests its personality, and then counts for no other config.
    std::int64_t& left = present[personality_of(run, &config)];
    left -= config.repetitions.value_or(run.repetitions);
    if (left < 0) break;
  }
  return personality_of(run, last);
}

bool is_planned_in_parts(const Run& run, const Id& test) {
  return std::count_if(run.test_configs.begin(), run.test_configs.end(),
                       [&](const TestConfig& config) { return config.test && config.test->id == test; }) > 1;
}

}  // namespace parley
