#pragma once
/// Reviews of results (D24): the rules first, a judge model where they are silent. Reading and deciding cost CPU, so they
/// belong on a background thread (Gateway::in_background); what comes of it is saved by the result's actor (KeepReview).
/// Nothing is kept before that, so a crash in between costs no more than the question.

#include <memory>
#include <span>

#include "actors/commands.hpp"
#include "actors/services.hpp"
#include "store/snapshot.hpp"

namespace parley::actors {

struct ScoringInput;
/// What the rules could not decide: the conversation, and what they said of it.
struct OpenReview;

/// A review as the rules decide it.
struct Reviewing {
  SaveReview command;
  std::shared_ptr<OpenReview> open;  ///< null where the rules have spoken
  std::size_t open_bytes = 0;        ///< that it holds, of the conversation and of the question about it
};

/// Does the work on a thread that may be held up.
using RunBeside = std::function<void(std::function<void()> work)>;

/// Of a result that a retry replaced: a review of what it was before. Problem: conflict unless the result is terminal.
[[nodiscard]] Expected<Reviewing> review(const store::Snapshot& snapshot, const ResultHead& head);

/// The review of a reviewed result that gets `verdict` in place of its own; where the rules are silent, what a model said
/// of the conversation stays. nullopt where the result was never reviewed. `head` is as it will be.
[[nodiscard]] Expected<std::optional<SaveReview>> review_again(const store::Snapshot& snapshot,
                                                               const ResultHead& head,
                                                               const ScoringInput& input,
                                                               std::span<const AssertionResult> verdict);

/// Asks the judge model; without one, or where it gives no valid answer, the rules' word stands. What came back is read
/// beside the HTTP client's thread. `done` on any thread.
void ask_reviewer(const Services& world, const RunBeside& beside, Reviewing reviewing,
                  Completion<SaveReview> done);

}  // namespace parley::actors
