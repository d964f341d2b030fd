#pragma once
/// The rules by which `parley run` decided, stored in the metadata of its runs (`rules`). `gate` and `show` apply the
/// same rules. Pure; any thread.

#include <string>

#include "client/gate/gate_rules.hpp"
#include "model/json/json.hpp"

namespace parley::client {

[[nodiscard]] std::string rules_json(const GateRules& rules);
/// Returns the default rules for a run that another client launched without rules. Members that are out of range are
/// ignored.
[[nodiscard]] GateRules rules_of_run(const json::Value& run);

}  // namespace parley::client
