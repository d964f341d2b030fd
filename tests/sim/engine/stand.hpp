#pragma once
/// One simulated server: the product's actors under CAF's testing scheduler, its real store without sync, and around
/// them a clock, a disk and agents that only the schedule moves. A crash loses everything uncommitted; a new process
/// opens the same directory. One thread.

#include <memory>
#include <optional>

#include "actors/driving/runner_heartbeat.hpp"
#include "actors/verdicts/rescoring.hpp"
#include "tests/actors/support/actors.hpp"
#include "tests/sim/engine/agents.hpp"
#include "tests/sim/engine/hurry.hpp"
#include "tests/sim/engine/models.hpp"
#include "tests/store/world.hpp"

namespace parley::sim {

class Stand {
 public:
  Stand();
  ~Stand();
  Stand(const Stand&) = delete;
  Stand& operator=(const Stand&) = delete;

  /// Sets up an empty store, the initial clock and ids, and a server on them.
  void begin(const Plan& plan);

  /// After this call no client is answered. Call it before destroying the receivers of answers.
  void end() { close(); }

  /// Ends the process; its successor opens the directory but has not recovered anything yet.
  void crash(const std::optional<Id>& within = std::nullopt);
  /// Returns false if the disk refused after the given number of commits, which ended the process.
  [[nodiscard]] bool recover(std::optional<std::uint32_t> refused_after = std::nullopt);

  // Runners.
  static constexpr std::int64_t lease_ms = 60'000;
  using Heard = std::function<void(Expected<Done>, const actors::RunnerOffer&)>;
  /// A heartbeat as POST /agents/local passes it on; `decided` receives the time of each decision about it.
  void beat(bool is_stranger, std::function<void(Time)> decided, Heard done);

  /// A rescore request as POST /test-results/{id}/rescore passes it on: decided in the background on a snapshot; the
  /// actor of the result saves the changes.
  struct ScoreAgain {
    Id result;
    std::vector<Assertion> assertions;
    bool is_preview = false;
    actors::OptionalIdempotency keep;
    std::function<void(const ResultHead&)> deciding;  ///< called with the result when the request is decided
  };
  struct ScoredAgain {
    actors::Rescoring made;
    bool is_saved = false;
  };
  void score_again(ScoreAgain wish, std::function<void(const Expected<ScoredAgain>&)> done);

  // The disk.
  void refuse_commits(bool refuses) { commits_left_ = refuses ? 0 : unlimited; }
  void fail_next_commit() { error_ = 5; }  // EIO
  /// A commit failed, and the process must end.
  [[nodiscard]] bool is_broken() const { return is_broken_; }

  [[nodiscard]] actors::test::Actors& actors() { return *actors_; }
  [[nodiscard]] actors::Gateway& gateway() { return actors_->gateway(); }
  [[nodiscard]] store::Snapshot snapshot() const { return store_->snapshot(); }
  [[nodiscard]] ManualClock& clock() { return *clock_; }
  [[nodiscard]] Agents& agents() { return *agents_; }
  [[nodiscard]] Models& models() { return *models_; }
  [[nodiscard]] const Hurry& hurry() const { return hurry_; }
  /// Advances the actors' own timers.
  void pass(std::int64_t ms);
  /// The highest number of driven conversations with concurrent calls.
  [[nodiscard]] std::size_t most_driven() const { return most_driven_; }
  [[nodiscard]] const Id& agent_of(Kind kind) const { return kind == Kind::driven ? driven_ : external_; }
  [[nodiscard]] const Id& scenario() const { return scenario_; }
  /// Number of the current process, by which an answer of a dead process is recognized.
  [[nodiscard]] int epoch() const { return epoch_; }

 private:
  static constexpr std::uint32_t unlimited = UINT32_MAX;
  void open();
  void close();
  void wipe();
  /// Agents and models, as the product calls them.
  [[nodiscard]] actors::OutboundPort outside();
  Id register_runner();
  void decide_again(const ScoreAgain& wish, const std::function<void(const Expected<ScoredAgain>&)>& done);
  template <class T>
  Id create(T record);

  store::TemporaryDirectory home_;
  store::Options options_;
  actors::Settings settings_;
  std::optional<ManualClock> clock_;
  std::optional<CountingIds> ids_;
  std::optional<Agents> agents_;
  std::optional<Models> models_;
  std::size_t most_driven_ = 0;
  Hurry hurry_;
  std::uint32_t commits_left_ = unlimited;
  int error_ = 0;
  bool is_broken_ = false;
  int epoch_ = 0;
  Id external_, driven_, scenario_, owner_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<store::WorkMarks> marks_;
  std::optional<actors::Services> world_;
  std::unique_ptr<actors::test::Actors> actors_;
};

}  // namespace parley::sim
