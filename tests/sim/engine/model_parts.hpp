#pragma once
/// Functions of the model on one result, shared by the effects of commands (model.cpp) and the spontaneous events
/// (model_moves.cpp). Pure.

#include "tests/sim/engine/model.hpp"

namespace parley::sim {

/// The tester turn that no reply has followed yet (D47).
[[nodiscard]] const Said* unanswered(const One& one);
[[nodiscard]] std::uint32_t turns_of(const One& one);
/// D49, I23, I24: a conversation that ends is claimed immediately unless a client wants to finish it.
void end(One& one);
void close(One& one, Status status);
/// Saves the verdict (I21).
void complete(One& one, const Facts& facts);
/// See docs/reference/scoring.md.
[[nodiscard]] std::vector<Effect> rescore(const Shape& shape, const Op& op, bool is_key_kept);
void say(One& one, std::uint32_t token, Said::Sort sort);
/// Whether a local runner may be offered the result: it is pending, and driven by a client (D73).
[[nodiscard]] bool waits_for_runner(const One& one);
/// Whether the run has a result that is not over; previews have no run.
[[nodiscard]] bool has_live(const Shape& shape);

}  // namespace parley::sim
