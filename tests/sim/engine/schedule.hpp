#pragma once
/// Runs a plan on a simulated server and checks the outcome. The plan and the chooser determine everything: which
/// message is handled next, which timer fires, what the disk does, what clients request. One thread.

#include <functional>

#include "tests/sim/engine/checker.hpp"
#include "tests/sim/engine/commands.hpp"
#include "tests/sim/engine/stand.hpp"
#include "tests/sim/engine/view.hpp"

namespace parley::sim {

struct Trial {
  std::vector<std::string> faults;  ///< empty if the schedule is sound
  bool is_undecided = false;
  History history;
  std::uint64_t messages = 0;
  int crashes = 0;
};

/// Chooses one of `options`; returns its index.
using Choose = std::function<std::size_t(std::size_t options)>;

/// Two commands that run concurrently after the plan's steps, and the process may be killed between two of their
/// messages.
struct Meeting {
  Step first;
  Step second;
  std::size_t killed_after = SIZE_MAX;  ///< after this many messages of the pair
};

class Schedule {
 public:
  Schedule(Stand& stand, const Plan& plan);
  ~Schedule() { stand_.end(); }
  Schedule(const Schedule&) = delete;
  Schedule& operator=(const Schedule&) = delete;

  /// Runs the plan's steps; the dice of each step choose its messages.
  [[nodiscard]] Trial carry_out();
  /// Runs the plan's steps in the order of arrival, then the pair: `choose` decides which message is handled next, or,
  /// as the last option, that the second command arrives.
  [[nodiscard]] Trial meet(const Meeting& meeting, const Choose& choose);

 private:
  void begin();
  void create_first(std::uint32_t index);
  void take(const Step& step);
  void invoke(const Step& step);
  void invoke(Op op);
  bool aim(const Step& step, Op& op);
  static void prefer_completed(std::vector<std::pair<Name, Id>>& results, const Shape& now);
  void send(std::size_t index);
  template <class Reply>
  [[nodiscard]] actors::Completion<Reply> completion(std::size_t index);
  void spin(std::mt19937_64& dice, std::uint32_t messages);
  void beat(std::size_t index);
  void score_again(std::size_t index);
  void take_message(std::size_t place);
  void settle();
  void pass(std::uint32_t value);
  void advance(std::int64_t ms);
  void last_heartbeat();
  void crash(const Step& step);
  void restart(const std::optional<Id>& within, std::optional<std::uint32_t> refused_after);
  void look();
  void note(std::string what);
  void come_to_rest();
  [[nodiscard]] Trial judge();
  void check_ends();
  void learn_judged();
  void name_made();
  void name_offer(Op& op);
  void check_answers();

  Stand& stand_;
  const Plan& plan_;
  Id run_;
  std::optional<View> view_;
  Shape begin_;
  Facts facts_;
  Trial trial_;
  std::map<std::uint32_t, store::NewIdempotencyRecord> kept_;  ///< by the token of the step
  std::map<std::uint32_t, std::string> keys_;
  std::map<Id, int> within_;  ///< how often the process ended during work on a result
  bool has_disk_fault_ = false;
  bool is_held_ = false;  ///< the disk is slow: the writer handles no messages
};

}  // namespace parley::sim
