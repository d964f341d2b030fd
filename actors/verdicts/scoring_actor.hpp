#pragma once
/// Scores claimed results, one at a time, on its own thread: regular expressions over long conversations cost
/// CPU and must not hold up the pool. There are a few such actors (ScoringPool); a result always goes to the
/// same one. Bound: one waiting job per claimed result. A verdict goes to the directory as a message with its
/// attempt; the result's machine drops verdicts that no longer match. A result is marked (store::WorkMarks)
/// while the actor reads, decides, builds a question or scores, but not while it waits for a judge. If the
/// process ends during such work, the next start counts it; if it ends during a wait, it is not counted
/// (I10). A failed attempt in a running process is counted immediately, and after the third the result is set
/// aside (scoring_attempts.cpp).

#include <atomic>
#include <deque>
#include <unordered_map>

#include "actors/base/handles.hpp"
#include "actors/services.hpp"
#include "actors/verdicts/judging.hpp"

namespace parley::actors {

struct ScoringFigures {
  std::atomic<std::uint64_t> held{0};    ///< jobs that wait for the end of a pause
  std::atomic<std::uint64_t> passed{0};  ///< verdicts
  std::atomic<std::uint64_t> failed{0};
  std::atomic<std::uint64_t> undecided{0};
  std::atomic<std::uint64_t> judge_errors{0};  ///< assertions for which the judge gave no valid verdict
  std::atomic<std::uint64_t> judge_calls{0};
  std::atomic<std::uint64_t> judge_input_tokens{0};
  std::atomic<std::uint64_t> judge_output_tokens{0};
};

class ScoringActor : public Scoring::base {
 public:
  ScoringActor(caf::actor_config& config, Services& services, Writer writer, ScoringFigures& figures);

  behavior_type make_behavior() override;
  /// Drops the handles: actors that hold each other would never be destroyed.
  void on_exit() override;

 private:
  void take(const ScoreJob& job);
  void count(const Scored& scored);
  void judge(const ScoreJob& job);
  /// What code decides; nullopt if there is nothing to score, or the attempt failed or was interrupted.
  [[nodiscard]] std::optional<Judging> decide(const ScoreJob& job);
  /// Asks the judge model for what code cannot decide; the verdict is sent after the last answer.
  void ask(Judging judging);
  /// Sends the queued questions to the judge, within the bounds.
  void ask_on();
  /// An assertion whose question cannot be asked ends in error.
  void ask(std::uint64_t number, std::size_t assertion, Judging& judging);
  void put(std::uint64_t number, std::size_t assertion, Judging& judging);
  void returned(const JudgeReturned& message);
  /// An answer that cannot be read ends its assertion in error and has no other effect.
  [[nodiscard]] Judging::Receipt read(Judging& judging, const JudgeReturned& message);
  void end_if_done(std::uint64_t number);
  void drop(std::uint64_t number);
  [[nodiscard]] bool still_waits(const Judging& judging) const;
  /// Starts postponed results while there is room.
  void resume_postponed();
  [[nodiscard]] bool has_room() const;
  [[nodiscard]] std::size_t share_of(std::size_t bound) const;
  void finish(const Judging& judging);

  // Work left unscored because the process or a result's actor ended, or an attempt failed
  // (scoring_attempts.cpp).
  void failed(const ScoreJob& job);
  void try_again(const ScoreJob& job);
  void raise_attempts();
  void raised(const AttemptRaised& answer);
  void not_raised(const ScoreJob& job, const Problem& problem);

  Services& services_;
  Writer writer_;  ///< for stored answers of the judge
  Directory directory_;
  ScoringFigures& figures_;
  bool is_paused_;
  std::deque<ScoreJob> held_;  ///< jobs that wait for the end of a pause

  std::deque<ScoreJob> again_;  ///< to be scored again
  std::size_t raising_ = 0;     ///< claims whose result's actor saves the next attempt

  /// Results that wait for a judge model, by number. The bounds limit how many whole conversations are in
  /// memory (F22).
  std::unordered_map<std::uint64_t, Judging> judging_;
  std::size_t judging_bytes_ = 0;
  std::uint64_t judging_number_ = 0;
  std::deque<ScoreJob> postponed_;  ///< claimed results beyond the bounds

  struct Question {
    std::uint64_t number = 0;
    std::size_t assertion = 0;
  };
  /// Questions not asked yet. Each is built only when it is sent, because it holds a transcript.
  std::deque<Question> questions_;
  std::size_t questions_out_ = 0;
  std::size_t question_bytes_out_ = 0;
};

}  // namespace parley::actors
