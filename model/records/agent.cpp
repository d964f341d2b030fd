#include "model/records/agent.hpp"

#include <algorithm>

namespace parley {

bool is_server_driven(std::string_view type) {
  return type == "HTTP" || type == "OPENAI" || type == "DEMO";
}

Driving driving_of(std::string_view type, bool is_manual) {
  const bool is_hosted = is_server_driven(type);
  return {is_hosted && !is_manual, is_hosted && is_manual, type == "GITHUB" && !is_manual};
}

bool gets_results_at_launch(std::string_view type) {
  return is_server_driven(type) || type == "LOCAL" || type == "GITHUB";
}

bool is_agent_type(std::string_view type) {
  return std::find(agent_types.begin(), agent_types.end(), type) != agent_types.end();
}

}  // namespace parley
