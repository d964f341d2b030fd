// Faults of an agent's config, with their places in the suite file.
#include <algorithm>

#include "client/suite/suite_parts.hpp"
#include "model/text/ascii.hpp"

namespace parley::client {
namespace {

/// Returns the name that a key of the config has in the file.
std::string_view file_key(std::string_view key, std::string_view kind) {
  if (key == "url" || key == "owner" || key == "repo") return kind;
  if (key == "timeoutMs") return "timeout";
  return key == "apiUrl" ? "api-url" : key;
}

/// Whether the detail of a fault concerns a key, not its value.
bool is_of_key(std::string_view detail) {
  return detail == "is set by the service" || detail == "must be a valid header name" ||
         detail.starts_with("is unknown");
}

bool has_error_in(const std::vector<source::SourceFault>& faults, const source::Place& part) {
  return std::any_of(faults.begin(), faults.end(), [&](const source::SourceFault& fault) {
    return fault.level == source::Level::error && fault.place.file == part.file &&
           fault.place.at.begin >= part.at.begin && fault.place.at.begin < part.at.end;
  });
}

}  // namespace

void check_agent(SuiteSources& sources, const View& value, const CompiledAgent& agent,
                 const AgentCheck& check) {
  // A wrong value is left out of the config, and the check would report it as missing.
  if (agent.type.empty() || has_error_in(sources.faults(), value.place())) return;
  Agent record;
  record.type = agent.type;
  record.config = json::Text{agent.config};
  Findings findings;
  check(record, findings);
  const std::string kind = ascii::lower(agent.type);
  for (const Fault& fault : findings.faults) {
    std::string_view rest = fault.pointer;
    rest.remove_prefix(std::min(rest.size(), std::string_view("/config/").size()));
    const std::string_view key = rest.substr(0, rest.find('/'));
    std::string where = std::string(file_key(key, kind)) + std::string(rest.substr(key.size()));
    const source::Place at = place_in(value, "/" + where, value.key_place(kind), is_of_key(fault.detail));
    std::replace(where.begin(), where.end(), '/', '.');
    sources.error("agent", "\"" + where + "\" " + fault.detail, at);
  }
}

}  // namespace parley::client
