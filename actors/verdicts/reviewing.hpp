#pragma once
/// Reviews of results (D24): the rules decide first, then a judge model if they cannot. Reading and deciding
/// cost CPU, so they belong on a background thread (Gateway::in_background). The result's actor saves the
/// outcome (SaveReview). Nothing is saved before that, so a crash costs at most the question.

#include <memory>
#include <span>

#include "actors/commands.hpp"
#include "actors/services.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

struct ScoringInput;
/// Runs the work on a thread that may block for long.
using RunInBackground = std::function<void(std::function<void()> work)>;

/// If a retry replaced the result, reviews its earlier state. Problem: conflict unless the result is
/// terminal.
[[nodiscard]] Expected<Reviewing> review(const store::Snapshot& snapshot, const ResultHead& head);

/// The review of a reviewed result whose verdict `verdict` replaces. If the rules do not decide, the model's
/// opinion of the conversation is kept. nullopt if the result was never reviewed. `head` is the head after
/// the change.
[[nodiscard]] Expected<std::optional<SaveReview>> review_again(const store::Snapshot& snapshot,
                                                               const ResultHead& head,
                                                               const ScoringInput& input,
                                                               std::span<const AssertionResult> verdict);

/// Asks the judge model; without a judge or a valid answer, the rules decide. The answer is not read on the
/// HTTP client's thread. Calls `done` on any thread.
void ask_reviewer(const Services& services, const RunInBackground& background, Reviewing reviewing,
                  Completion<SaveReview> done);

}  // namespace parley::actors
