#include "client/run/stored_agents.hpp"

#include "model/text/nearest.hpp"

namespace parley::client {

Expected<std::string> agent_id_of(Api& api, const std::string& name) {
  std::string found;
  std::vector<std::string> names;
  TRY_DONE(api.each_row("/agents/?output=minimal", 500, [&](const json::Value& row) {
    names.push_back(text_at(row, "name"));
    if (names.back() == name || text_at(row, "id") == name) found = text_at(row, "id");
    return found.empty();
  }));
  if (!found.empty()) return found;
  const std::string meant = did_you_mean(name, names);
  return problem(ProblemKind::not_found, "there is no agent \"" + name + "\"" +
                                             (meant.empty() ? "; `parley ls agents` lists them" : meant));
}

}  // namespace parley::client
