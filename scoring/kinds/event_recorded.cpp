// The type `event-recorded`.

#include <array>

#include "scoring/config.hpp"
#include "scoring/kinds/rows.hpp"
#include "scoring/scope.hpp"
#include "scoring/text.hpp"

namespace parley::scoring {
namespace {

constexpr std::array keys{
    ConfigKey{"name", true, ConfigType::text, "The event, internal or public."},
};

void check(const json::Value& config, const std::string& pointer, Findings& findings) {
  const auto name = text_at(config, "name");
  if (name && name->empty()) findings.add(pointer + "/name", "must not be empty");
}

Verdict decide(const json::Value& config, Conversation& conversation) {
  const std::string_view name = text_at(config, "name").value_or("");
  Verdict verdict{AssertionStatus::failed, "the event " + quoted(name) + " is recorded", {}, {}};
  std::size_t of_name = 0;
  std::size_t events = 0;
  for (const Entry& entry : conversation.entries()) {
    if (!is_event(entry.type)) continue;
    ++events;
    if (entry.name != name) continue;
    ++of_name;
    note(verdict.evidence, entry);
  }
  if (of_name > 0) verdict.status = AssertionStatus::passed;
  verdict.found = counted(of_name, "such event") + " of " + std::to_string(events) + " recorded";
  return verdict;
}

}  // namespace

constinit const Kind rows::event_recorded{
    .name = "event-recorded",
    .summary = "An event is recorded.",
    .keys = keys,
    .check = check,
    .decide = decide,
};

}  // namespace parley::scoring
