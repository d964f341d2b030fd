#pragma once
/// What became of results, held against what their conversations hold and what agents and models said: verdicts (I26, I29,
/// D33, D34, D51a) and whose fault a failure was (D47a). Read once, at the end. One thread.

#include "tests/sim/engine/agents.hpp"
#include "tests/sim/engine/model.hpp"
#include "tests/sim/engine/models.hpp"
#include "tests/sim/engine/view.hpp"

namespace parley::sim {

/// One sentence for each verdict that is not what was said.
[[nodiscard]] std::vector<std::string> wrong_verdicts(const store::Snapshot& snapshot, const View& view,
                                                      const Plan& plan, const Models& models);

/// One sentence for each failure that is booked as somebody else's.
[[nodiscard]] std::vector<std::string> wrong_faults(const store::Snapshot& snapshot, const View& view,
                                                    const Agents& agents, const Models& models,
                                                    const Facts& facts);

/// Questions that were asked of two at once, or twice of one process.
[[nodiscard]] std::vector<std::string> asked_twice(const View& view, const Models& models);

}  // namespace parley::sim
