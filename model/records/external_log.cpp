#include "model/records/external_log.hpp"

#include <algorithm>

namespace parley {

std::vector<Entry> entries_of(const ExternalLog& log) {
  std::vector<Entry> entries;
  const auto document = json::parse(log.conversation.text);
  if (!document) return entries;
  for (const json::Value& item : document->root().children()) {
    auto entry = entry_from_stored(item.compact().text);
    if (entry.ok()) entries.push_back(std::move(entry).value());
  }
  return entries;
}

// All four fields are set together, so they are removed together.
void forget_verdict(ExternalLog& log) {
  log.assertion_results.reset();
  log.score.reset();
  log.overall_passed.reset();
  log.decided.reset();
}

bool allows_agent(const ExternalLog& log, const Id& agent) {
  return log.agents.empty() || std::any_of(log.agents.begin(), log.agents.end(),
                                           [&](const auto& each) { return each.id == agent; });
}

}  // namespace parley
