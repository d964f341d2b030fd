#pragma once
/// Checks the outcomes of results against their conversations and the answers of agents and models: verdicts (I26, I29,
/// D33, D34, D51a) and the source of failures (D47a). The store is read once, at the end. One thread.

#include "tests/sim/engine/agents.hpp"
#include "tests/sim/engine/model.hpp"
#include "tests/sim/engine/models.hpp"
#include "tests/sim/engine/view.hpp"

namespace parley::sim {

/// One sentence for each verdict that contradicts the answers.
[[nodiscard]] std::vector<std::string> wrong_verdicts(const store::Snapshot& snapshot, const View& view,
                                                      const Plan& plan, const Models& models);

/// One sentence for each failure that is attributed to the wrong party.
[[nodiscard]] std::vector<std::string> wrong_faults(const store::Snapshot& snapshot, const View& view,
                                                    const Agents& agents, const Models& models,
                                                    const Facts& facts);

/// Questions that were sent to two models concurrently, or twice by one process.
[[nodiscard]] std::vector<std::string> asked_twice(const View& view, const Models& models);

}  // namespace parley::sim
