#include "tester/event_actions.hpp"

#include <set>

namespace parley::tester {

std::variant<std::vector<EventActions>, std::string> actions_of_events(std::span<const json::Text> metadata) {
  std::vector<EventActions> all;
  std::set<std::string, std::less<>> names;
  for (const json::Text& text : metadata) {
    const std::string event = "event " + std::to_string(all.size());
    EventActions& registered = all.emplace_back();
    const auto document = json::parse(text.text);
    const auto actions = document.ok() ? document->root().find("actions") : std::nullopt;
    if (!actions || actions->is(json::Kind::null)) continue;  // null equals leaving it out (D5)
    Findings findings;
    ParsedActions parsed = parse_actions(*actions, "/metadata/actions", findings);
    if (!findings.faults.empty()) {
      const Fault& fault = findings.faults.front();
      return "The actions of " + event + " are at fault: " + fault.pointer + " " + fault.detail + ".";
    }
    for (const ActionDefinition& action : parsed.actions) {
      if (!names.insert(action.name).second)
        return "The action '" + action.name + "' is registered twice in one turn.";
    }
    registered = std::move(parsed.actions);
  }
  return all;
}

}  // namespace parley::tester
