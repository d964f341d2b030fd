// Three nodes, one log in memory, and a schedule of delays, lost answers, pauses and kills from a seed. The rules of
// leadership must hold at every step; planted faults show that the checks can fail. PARLEY_SCHEDULES=1000000 runs that
// many schedules instead of 150.

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <random>
#include <unordered_set>
#include <vector>

#include "actors/cluster/leadership_machine.hpp"

namespace parley::actors {
namespace {

namespace ev = leadership;

enum class Plant { nothing, lease_from_answer, leads_without_rows, log_skips_fence, answers_before_append };

Id id_of(std::size_t node) {
  Id id;
  id.bytes.back() = static_cast<std::uint8_t>(node + 1);
  return id;
}

/// The part of PostgreSQL: one row orders and fences all appends, and decides about the lease.
struct SimLog {
  std::unordered_set<std::uint64_t> kept;  ///< the numbers of the rows written
  std::uint64_t term = 0;
  Id leader;
  std::int64_t until_ms = 0;

  [[nodiscard]] std::uint64_t head() const { return kept.size(); }
};

/// An answer of the log that is in transit.
struct Answer {
  std::int64_t at_ms = 0;
  std::size_t node = 0;
  std::uint64_t life = 0;  ///< the process that asked
  leadership::Event event;
  std::optional<std::uint64_t> acknowledges;  ///< the number of the append that it acknowledges
};

/// A row in transit to the log.
struct Append {
  std::int64_t at_ms = 0;
  std::int64_t sent_ms = 0;
  std::size_t node = 0;
  std::uint64_t life = 0;
  std::uint64_t term = 0;
  std::uint64_t number = 0;
};

struct Node {
  LeadershipState state;
  std::uint64_t life = 0;
  std::int64_t paused_until_ms = 0;
  std::int64_t cut_off_until_ms = 0;  ///< cut off from the log
  bool has_begun = false;             ///< has begun to lead
};

class Simulation {
 public:
  Simulation(std::uint64_t seed, Plant plant) : random_(seed), plant_(plant) {}

  /// The first broken rule; empty if none was broken.
  std::string run(int steps) {
    for (int i = 0; i < steps && fault_.empty(); ++i) {
      now_ += one_of(1, 60);
      deliver();
      for (std::size_t node = 0; node < nodes_.size() && fault_.empty(); ++node) turn(node);
      disturb();
      check();
    }
    if (fault_.empty()) calm_down();
    return fault_;
  }
  [[nodiscard]] std::size_t acknowledged() const { return acknowledged_.size(); }
  [[nodiscard]] std::uint64_t terms() const { return log_.term; }

 private:
  std::int64_t one_of(std::int64_t least, std::int64_t most) {
    return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
  }
  bool chance(int in) { return one_of(1, in) == 1; }
  bool reaches_log(std::size_t node) const { return now_ >= nodes_[node].cut_off_until_ms; }
  bool is_awake(std::size_t node) const { return now_ >= nodes_[node].paused_until_ms; }

  void feed(std::size_t node, const leadership::Event& event) {
    const LeadershipStep step = on(nodes_[node].state, event, id_of(node), rules_, now_);
    nodes_[node].state = step.state;
    for (const LeadershipEffect effect : step.effects) carry_out(node, effect);
  }

  void carry_out(std::size_t node, LeadershipEffect effect) {
    if (!reaches_log(node) && effect <= LeadershipEffect::renew) return;
    if (effect == LeadershipEffect::ask_lead) return ask_lead(node);
    if (effect == LeadershipEffect::renew) return renew(node);
    if (effect == LeadershipEffect::begin_leading) nodes_[node].has_begun = true;
    if (effect == LeadershipEffect::end_leading) nodes_[node].has_begun = false;
    if (effect == LeadershipEffect::step_down && reaches_log(node) && log_.leader == id_of(node))
      log_.until_ms = now_;
    if (effect == LeadershipEffect::begin_leading && nodes_[node].state.applied < nodes_[node].state.target)
      fault_ = "leads without all rows";
    if (effect == LeadershipEffect::begin_leading && plant_ == Plant::leads_without_rows &&
        rows_of(node) < lead_head_)
      fault_ = "leads without all rows";
  }

  std::uint64_t rows_of(std::size_t node) const { return copies_[node]; }

  /// The answer arrives late, or never.
  void answer(std::size_t node, leadership::Event event, std::optional<std::uint64_t> acknowledges = {}) {
    if (!is_calm_ && chance(25)) return;  // lost
    const std::int64_t delay = is_calm_ ? 5 : chance(15) ? one_of(100, 2'600) : one_of(1, 30);
    const std::int64_t at = now_ + delay;
    if (plant_ == Plant::lease_from_answer) {
      if (auto* won = std::get_if<ev::LeadWon>(&event)) won->sent_ms = at;
      if (auto* renewed = std::get_if<ev::Renewed>(&event)) renewed->sent_ms = at;
    }
    answers_.push_back({at, node, nodes_[node].life, event, acknowledges});
  }

  void ask_lead(std::size_t node) {
    const bool is_own = log_.leader == id_of(node);
    if (!is_own && log_.until_ms >= now_) return answer(node, ev::LeadLost{});
    ++log_.term;
    log_.leader = id_of(node);
    log_.until_ms = now_ + rules_.lease_ms;
    lead_head_ = log_.head();
    answer(node, ev::LeadWon{now_, log_.term, log_.head()});
  }

  void renew(std::size_t node) {
    if (log_.leader != id_of(node) || log_.term != nodes_[node].state.term) return answer(node, ev::Fenced{});
    log_.until_ms = now_ + rules_.lease_ms;
    answer(node, ev::Renewed{now_, log_.term});
  }

  /// The append travels to the log; another node may lead by the time it arrives.
  void append(std::size_t node) {
    const std::uint64_t number = ++numbers_;
    if (plant_ == Plant::answers_before_append) acknowledged_.insert(number);
    const std::int64_t travels = is_calm_ ? 1 : chance(20) ? one_of(100, 5'000) : one_of(0, 20);
    appends_.push_back({now_ + travels, now_, node, nodes_[node].life, nodes_[node].state.term, number});
  }

  void arrive(const Append& append) {
    const bool is_fenced = log_.leader != id_of(append.node) || log_.term != append.term;
    if (is_fenced && plant_ != Plant::log_skips_fence) return answer(append.node, ev::Fenced{});
    if (is_fenced) fault_ = "a row of an older term";
    if (!log_.kept.insert(append.number).second) fault_ = "a row twice";
    log_.until_ms = now_ + rules_.lease_ms;
    answer(append.node, ev::Renewed{append.sent_ms, log_.term}, append.number);
  }

  void deliver_appends() {
    std::swap(appends_, due_appends_);
    for (const Append& each : due_appends_) {
      if (each.at_ms > now_) {
        appends_.push_back(each);
      } else {
        arrive(each);
      }
    }
    due_appends_.clear();
  }

  void turn(std::size_t node) {
    if (!is_awake(node)) return;
    const LeadershipState& state = nodes_[node].state;
    if (!reaches_log(node)) {
      feed(node, ev::LogSilent{});
      return feed(node, ev::Tick{});
    }
    feed(node, ev::ViewHeard{log_.head(), log_.term, log_.leader, log_.until_ms - now_});
    if (state.leads()) {
      copies_[node] = log_.head();
    } else {
      copies_[node] =
          std::min<std::uint64_t>(log_.head(), copies_[node] + static_cast<std::uint64_t>(one_of(0, 3)));
      feed(node, ev::Applied{plant_ == Plant::leads_without_rows ? log_.head() : copies_[node]});
    }
    feed(node, ev::Tick{});
    if (has_lease(state, rules_, now_) && chance(2)) append(node);
  }

  void deliver() {
    deliver_appends();
    std::swap(answers_, due_answers_);
    for (const Answer& each : due_answers_) {
      const bool is_due = each.at_ms <= now_ && is_awake(each.node);
      if (each.life != nodes_[each.node].life) continue;  // its process is gone
      if (!is_due) {
        answers_.push_back(each);
        continue;
      }
      if (each.acknowledges) acknowledged_.insert(*each.acknowledges);
      feed(each.node, each.event);
    }
    due_answers_.clear();
  }

  void disturb() {
    if (is_calm_) return;
    const auto node = static_cast<std::size_t>(one_of(0, 2));
    if (chance(150)) nodes_[node].paused_until_ms = now_ + one_of(100, 6'000);
    if (chance(60)) nodes_[node].cut_off_until_ms = now_ + one_of(100, 8'000);
    if (chance(200)) {
      const std::uint64_t life = nodes_[node].life + 1;
      nodes_[node] = Node{};
      nodes_[node].life = life;
      nodes_[node].state.applied = copies_[node];
    }
    if (chance(300)) feed(node, ev::HandOver{});
    if (chance(300) && is_awake(node)) feed(node, ev::Invited{});
  }

  void check() {
    std::size_t leases = 0;
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
      if (is_awake(node) && has_lease(nodes_[node].state, rules_, now_)) ++leases;
    }
    for (const Node& node : nodes_) {
      if (node.state.leads() != node.has_begun) fault_ = "leads without having begun to, or the reverse";
    }
    if (leases > 1) fault_ = "two nodes with a lease";
    if (++checks_ % 50 != 0) return;
    for (const std::uint64_t number : acknowledged_) {
      if (!log_.kept.contains(number)) fault_ = "an acknowledged write is lost";
    }
  }

  /// Without faults, one node leads soon.
  void calm_down() {
    is_calm_ = true;
    for (Node& node : nodes_) node.paused_until_ms = node.cut_off_until_ms = 0;
    for (int i = 0; i < 400 && fault_.empty(); ++i) {
      now_ += 20;
      deliver();
      for (std::size_t node = 0; node < nodes_.size(); ++node) turn(node);
      check();
    }
    std::size_t leaders = 0;
    for (const Node& node : nodes_) leaders += node.state.role == NodeRole::leading ? 1U : 0U;
    if (fault_.empty() && leaders != 1) fault_ = std::to_string(leaders) + " leaders in calm times";
  }

  std::mt19937_64 random_;
  Plant plant_;
  LeaseRules rules_;
  SimLog log_;
  std::array<Node, 3> nodes_;
  std::array<std::uint64_t, 3> copies_{};
  std::vector<Answer> answers_;
  std::vector<Append> appends_;
  std::vector<Answer> due_answers_;  ///< read in deliver(), which adds to answers_
  std::vector<Append> due_appends_;
  std::unordered_set<std::uint64_t> acknowledged_;
  std::uint64_t numbers_ = 0;
  std::uint64_t lead_head_ = 0;
  std::int64_t now_ = 1'000'000;
  int checks_ = 0;
  bool is_calm_ = false;
  std::string fault_;
};

constexpr int steps = 600;

std::uint64_t schedules() {
  const char* given = std::getenv("PARLEY_SCHEDULES");  // NOLINT(concurrency-mt-unsafe)
  return given == nullptr ? 150 : std::strtoull(given, nullptr, 10);
}

TEST(LeadershipSim, keeps_the_rules_in_hundreds_of_schedules) {
  std::size_t acknowledged = 0;
  std::uint64_t terms = 0;
  for (std::uint64_t seed = 1; seed <= schedules(); ++seed) {
    Simulation simulation(seed, Plant::nothing);
    ASSERT_EQ(simulation.run(steps), "") << "seed " << seed;
    acknowledged += simulation.acknowledged();
    terms += simulation.terms();
  }
  RecordProperty("acknowledged", std::to_string(acknowledged));
  RecordProperty("terms", std::to_string(terms));
  EXPECT_GT(acknowledged, 54 * schedules()) << "the schedules must do something";
  EXPECT_GT(3 * terms, 10 * schedules()) << "leaders must change";
}

TEST(LeadershipSim, finds_each_planted_fault) {
  for (const Plant plant : {Plant::lease_from_answer, Plant::leads_without_rows, Plant::log_skips_fence,
                            Plant::answers_before_append}) {
    std::string found;
    for (std::uint64_t seed = 1; seed <= 400 && found.empty(); ++seed)
      found = Simulation(seed, plant).run(steps);
    EXPECT_NE(found, "") << static_cast<int>(plant);
  }
}

}  // namespace
}  // namespace parley::actors
