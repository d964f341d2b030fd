#pragma once
/// The rules by which `parley run` decided, in the metadata of its runs (`rules`). `gate` and `show` decide by the same rules.
/// Pure; any thread.

#include <string>

#include "client/gate/gate_rules.hpp"
#include "model/json/json.hpp"

namespace parley::client {

[[nodiscard]] std::string rules_json(const GateRules& rules);
/// A run without rules, which another client launched, has the default ones. Members out of their range are ignored.
[[nodiscard]] GateRules rules_of_run(const json::Value& run);

}  // namespace parley::client
