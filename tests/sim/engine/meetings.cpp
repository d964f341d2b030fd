// Runs all pairs of two commands in every state, in every order of their messages, and with the process killed after
// each message. The orders are walked depth first: a schedule is repeated with its last choice that has an alternative
// changed, until no choice has one.

#include <ostream>

#include "tests/sim/engine/campaign.hpp"

namespace parley::sim {
namespace {

/// Walks a tree of choices; the number of options at each node is known only on arrival.
class Odometer {
 public:
  [[nodiscard]] std::size_t choose(std::size_t options) {
    if (depth_ == wheels_.size()) wheels_.push_back({0, options});
    return wheels_[depth_++].at;
  }
  /// Returns false when every path has been walked.
  bool advance() {
    depth_ = 0;
    while (!wheels_.empty() && wheels_.back().at + 1 >= wheels_.back().options) wheels_.pop_back();
    if (wheels_.empty()) return false;
    ++wheels_.back().at;
    return true;
  }

 private:
  struct Wheel {
    std::size_t at;
    std::size_t options;
  };
  std::vector<Wheel> wheels_;
  std::size_t depth_ = 0;
};

Step step_of(Deed deed, std::uint32_t token) {
  Step step;
  step.deed = deed;
  step.token = token;
  step.dice = 1;
  return step;
}

/// A step on the way to a situation; it concerns the first result unless `target_in` is given.
struct Did {
  Did(Deed deed_in, std::uint32_t target_in = 0) : deed(deed_in), target(target_in) {}
  Deed deed;
  std::uint32_t target;
};

Situation situation(std::string name, std::vector<Made> results, const std::vector<Did>& steps) {
  Situation one;
  one.name = std::move(name);
  one.plan.results = std::move(results);
  one.plan.says = 1;
  one.plan.is_running = true;
  for (const Did& did : steps) {
    const auto token = static_cast<std::uint32_t>(one.plan.steps.size() + 1);
    one.plan.steps.push_back(step_of(did.deed, token));
    one.plan.steps.back().target = did.target;
  }
  return one;
}
Situation on_second(Situation one) {
  one.target = 1;
  return one;
}

Situation stuck(Situation one) {
  one.plan.is_stuck_at_once = true;
  return one;
}

/// Tokens of the two commands that meet; earlier steps have smaller tokens.
constexpr std::uint32_t first_token = 40;
constexpr std::uint32_t second_token = 41;

void report(std::ostream& out, const Situation& state, const Meeting& meeting, const Trial& trial) {
  out << "state " << state.name << ": " << word_of(meeting.first.deed) << " meets "
      << word_of(meeting.second.deed);
  if (meeting.killed_after != SIZE_MAX) out << ", killed after " << meeting.killed_after;
  out << "\n" << text_of(trial.history);
  for (const std::string& fault : trial.faults) out << "FAULT " << fault << "\n";
  out << std::endl;
}

/// Runs every order of one meeting, up to a bound.
void walk(Stand& stand, const Situation& state, const Meeting& meeting, const Extent& extent,
          Meetings& meetings, std::ostream& out) {
  Odometer odometer;
  std::size_t orders = 0;
  bool has_more = true;
  while (has_more && orders < extent.orders_max) {
    const Trial trial = Schedule(stand, state.plan).meet(meeting, [&](std::size_t options) {
      return odometer.choose(options);
    });
    ++orders;
    if (!trial.faults.empty()) {
      ++meetings.failed;
      return report(out, state, meeting, trial);
    }
    has_more = odometer.advance();
  }
  ++meetings.pairs;
  meetings.orders += orders;
  if (!has_more) ++meetings.complete;
}

/// Both commands arrive concurrently, and the process is killed after the first message, then after the second, ...
void kill(Stand& stand, const Situation& state, Meeting meeting, Meetings& meetings, std::ostream& out) {
  constexpr std::size_t messages_max = 60;
  bool is_first = true;
  const auto both_at_once = [&](std::size_t options) {
    return std::exchange(is_first, false) ? options - 1 : std::size_t{0};
  };
  for (meeting.killed_after = 1; meeting.killed_after < messages_max; ++meeting.killed_after) {
    is_first = true;
    const Trial trial = Schedule(stand, state.plan).meet(meeting, both_at_once);
    if (!trial.faults.empty()) {
      ++meetings.failed;
      return report(out, state, meeting, trial);
    }
    if (trial.crashes == 0) return;  // the pair had finished before the kill
    ++meetings.kills;
  }
}

}  // namespace

const std::vector<Situation>& situations() {
  using enum Deed;
  const std::vector<Made> client{{Kind::client, false}};
  const std::vector<Made> manual{{Kind::client, true}};
  const std::vector<Made> both{{Kind::client, true}, {Kind::client, true}};
  const std::vector<Made> person{{Kind::person, false}};
  const std::vector<Made> driven{{Kind::driven, false}};
  const std::vector<Made> two_driven{{Kind::driven, false}, {Kind::driven, false}};
  static const std::vector<Situation> all{
      situation("P pending", client, {}),
      stuck(situation("P pending and stuck", client, {})),
      on_second(situation("P driven, waits for a slot", two_driven, {})),
      situation("R open, answered", client, {next, post}),
      situation("R open, a turn unanswered", client, {post, next}),
      situation("R open with actions", manual, {next, registers}),
      stuck(situation("R open and stuck", client, {next, post})),
      situation("R a person's session", person, {post}),
      situation("R driven, its agent is asked", driven, {}),
      situation("W ended, waits for finish", manual, {next, post, next}),
      situation("S claimed, being scored", manual, {next, post, next, pause, finish, unpause}),
      situation("S the last two of the run", both,
                {next, post, next, {next, 1}, {post, 1}, {next, 1}, pause, finish, {finish, 1}, unpause}),
      situation("C completed", client, {next, post, next}),
      situation("C with a clone in flight", client, {next, post, next, retry}),
      situation("F failed", client, {post, fail}),
      situation("X canceled", client, {post, cancel}),
      situation("X with its run, by hand", client, {post, cancel_run}),
      situation("X with its run, by PATCH", client, {post, put_run_canceled}),
  };
  return all;
}

const std::vector<Deed>& meeting_deeds() {
  using enum Deed;
  static const std::vector<Deed> all{
      post,   tool,       registers, insert,           merge,           next,     finish,
      cancel, fail,       start,     mode_auto,        mode_manual,     metadata, retry,
      create, cancel_run, close_run, put_run_canceled, put_run_running, answer};
  return all;
}

Meetings meet_all(Stand& stand, const Extent& extent, std::ostream& out) {
  Meetings meetings;
  std::size_t place = 0;
  for (const Situation& state : situations()) {
    for (const Deed first : meeting_deeds()) {
      for (const Deed second : meeting_deeds()) {
        if (place++ % extent.share != extent.place) continue;
        Meeting meeting{step_of(first, first_token), step_of(second, second_token)};
        meeting.first.target = state.target;
        meeting.second.target = state.target;
        walk(stand, state, meeting, extent, meetings, out);
        if (extent.kills) kill(stand, state, meeting, meetings, out);
      }
    }
  }
  return meetings;
}

}  // namespace parley::sim
