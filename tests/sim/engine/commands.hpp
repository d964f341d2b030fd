#pragma once
/// Converts a simulated client's operation to the product's command, and the product's answers to the model's form.
/// Pure.

#include <variant>

#include "actors/gateway.hpp"
#include "tests/sim/engine/history.hpp"

namespace parley::sim {

/// The case of a result that exists at the beginning of the plan, or that a step creates.
struct CaseOf {
  std::uint32_t root = 0;
  Made made;
  std::uint32_t says = 0;
  Id run;  ///< nil: a preview
  Id agent;
};
[[nodiscard]] actors::CreateResult creation_of(const CaseOf& of);

[[nodiscard]] actors::ResultCommand result_command_of(const Op& op);
/// Precondition: a command to the run, other than create.
[[nodiscard]] actors::RunCommand run_command_of(const Op& op);

/// Fills in reply and made, except the detail of a retry, which is the place of the clone in its lineage.
void take_answer(Op& op, const Expected<actors::ResultReply>& answer);
void take_answer(Op& op, const Expected<actors::RunReply>& answer);

}  // namespace parley::sim
