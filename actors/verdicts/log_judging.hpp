#pragma once
/// Judges the criteria of assertions on a recorded conversation (D107): one question at a time, until all are
/// decided or at fault. Nothing is stored here, so a crash costs at most the questions.

#include "actors/commands.hpp"
#include "actors/services.hpp"

namespace parley::actors {

/// Asks the judge model. `background` reads the answers on a thread that may block for long. Calls `done` on
/// any thread. Needs: a judge model.
void judge_log(const Services& services, std::function<void(std::function<void()> work)> background,
               LogToJudge log, Completion<LogVerdict> done);

}  // namespace parley::actors
