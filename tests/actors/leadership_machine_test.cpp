// Who leads a cluster: lease, takeover, step-down, fence, handover.

#include "actors/cluster/leadership_machine.hpp"

#include <gtest/gtest.h>

namespace parley::actors {
namespace {

using Effects = std::vector<LeadershipEffect>;
using enum LeadershipEffect;
namespace ev = leadership;

constexpr std::int64_t start_ms = 100'000;

Id id(std::uint8_t last) {
  return *id_from_text("00000000-0000-7000-8000-0000000000" + std::string(last < 16 ? "0" : "1") +
                       std::string(1, "0123456789abcdef"[last % 16]));
}

/// One node; the test plays the log and the clock.
struct LoneNode {
  LeadershipState state{};
  LeaseRules rules{};
  Id self = id(1);
  std::int64_t now = start_ms;

  Effects on(const leadership::Event& event) {
    LeadershipStep step = parley::actors::on(state, event, self, rules, now);
    state = step.state;
    return step.effects;
  }
  Effects after(std::int64_t ms, const leadership::Event& event) {
    now += ms;
    return on(event);
  }
  /// Makes the node the leader in term 5.
  void lead() {
    on(ev::Applied{10});
    on(ev::ViewHeard{10, 4, id(2), -1'000});
    on(ev::LeadWon{now, 5, 10});
  }
};

TEST(LeadershipMachine, joins_only_once_its_copy_has_the_head) {
  LoneNode node;
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), 2'000}), Effects{});
  EXPECT_EQ(node.state.role, NodeRole::joining);
  node.on(ev::Applied{10});
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), 2'000}), Effects{});
  EXPECT_EQ(node.state.role, NodeRole::following);
}

TEST(LeadershipMachine, joins_although_the_head_moves_on) {
  LoneNode node;
  node.on(ev::ViewHeard{10, 4, id(2), 2'000});
  node.on(ev::Applied{9});
  node.on(ev::ViewHeard{15, 4, id(2), 2'000});
  EXPECT_EQ(node.state.role, NodeRole::joining);
  node.on(ev::Applied{14});
  node.on(ev::ViewHeard{20, 4, id(2), 2'000});
  EXPECT_EQ(node.state.role, NodeRole::following);
  EXPECT_EQ(node.on(ev::ViewHeard{20, 4, id(2), -1'000}), Effects{}) << "it lacks rows";
}

TEST(LeadershipMachine, asks_for_the_lead_when_the_lease_has_ended_for_a_while) {
  LoneNode node;
  node.on(ev::Applied{10});
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), 1}), Effects{});
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), -100}), Effects{}) << "an invited node comes first";
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), -200}), Effects{ask_lead});
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, id(2), -250}), Effects{}) << "one question at a time";
}

TEST(LeadershipMachine, does_not_lead_before_its_copy_is_complete) {
  LoneNode node;
  node.on(ev::Applied{10});
  node.on(ev::ViewHeard{10, 4, id(2), -1'000});
  EXPECT_EQ(node.on(ev::LeadWon{node.now, 5, 12}), Effects{});
  EXPECT_EQ(node.on(ev::Applied{11}), Effects{});
  EXPECT_EQ(node.on(ev::Applied{12}), Effects{begin_leading});
  EXPECT_TRUE(has_lease(node.state, node.rules, node.now));
}

TEST(LeadershipMachine, does_not_lead_when_the_log_names_it_before_its_copy_is_complete) {
  LoneNode node;
  node.on(ev::Applied{10});
  node.on(ev::ViewHeard{10, 4, id(2), -1'000});
  node.on(ev::LeadWon{node.now, 5, 12});
  EXPECT_EQ(node.on(ev::ViewHeard{12, 5, id(1), 2'900}), Effects{});
  EXPECT_TRUE(node.state.is_taking_over);
  EXPECT_FALSE(node.state.leads());
  EXPECT_EQ(node.on(ev::Applied{12}), Effects{begin_leading});
}

TEST(LeadershipMachine, takes_its_own_lease_up_after_a_restart) {
  LoneNode node;
  node.on(ev::Applied{10});
  EXPECT_EQ(node.on(ev::ViewHeard{10, 4, node.self, 2'500}), Effects{ask_lead});
}

TEST(LeadershipMachine, renews_in_time_and_stops_work_before_the_lease_ends) {
  LoneNode node;
  node.lead();
  EXPECT_EQ(node.after(999, ev::Tick{}), Effects{});
  EXPECT_EQ(node.after(1, ev::Tick{}), Effects{renew});
  EXPECT_EQ(node.after(1'500, ev::Tick{}), (Effects{renew, stop_work}));
  EXPECT_EQ(node.state.role, NodeRole::in_doubt);
  EXPECT_FALSE(has_lease(node.state, node.rules, node.now));
  EXPECT_EQ(node.on(ev::Renewed{node.now, 5}), Effects{resume_work});
  EXPECT_EQ(node.state.role, NodeRole::leading);
}

TEST(LeadershipMachine, counts_a_lease_from_before_the_question_was_sent) {
  LoneNode node;
  node.lead();
  node.now += 2'000;
  node.on(ev::Renewed{node.now - 1'900, 5});  // the answer took 1.9 s
  EXPECT_FALSE(has_lease(node.state, node.rules, node.now + 600));
}

TEST(LeadershipMachine, is_fenced_by_another_nodes_term) {
  const std::vector<leadership::Event> fences{ev::Fenced{}, ev::ViewHeard{11, 6, id(2), 2'000},
                                              ev::LeadLost{}};
  for (const auto& fence : fences) {
    LoneNode node;
    node.lead();
    EXPECT_EQ(node.on(fence), (Effects{stop_work, end_leading})) << fence.index();
    EXPECT_EQ(node.state.role, NodeRole::following);
    EXPECT_FALSE(node.state.leads());
  }
}

TEST(LeadershipMachine, keeps_the_lead_when_its_writer_raised_the_term) {
  LoneNode node;
  node.lead();
  EXPECT_EQ(node.on(ev::ViewHeard{11, 6, node.self, 2'000}), Effects{});
  EXPECT_EQ(node.on(ev::Renewed{node.now, 6}), Effects{});
  EXPECT_EQ(node.state.term, 6U);
}

TEST(LeadershipMachine, wakes_from_a_pause_without_a_lease) {
  LoneNode node;
  node.lead();
  const Effects effects = node.after(10'000, ev::Tick{});
  EXPECT_EQ(effects, (Effects{renew, stop_work}));
}

TEST(LeadershipMachine, hands_over_and_rests) {
  LoneNode node;
  node.lead();
  EXPECT_EQ(node.on(ev::HandOver{}), (Effects{stop_work, end_leading, step_down}));
  EXPECT_EQ(node.after(1'500, ev::ViewHeard{10, 5, node.self, -1'500}), Effects{});
  EXPECT_EQ(node.after(4'000, ev::ViewHeard{10, 5, node.self, -5'500}), Effects{ask_lead});
}

TEST(LeadershipMachine, ignores_a_lead_that_it_asked_for_before_it_handed_over) {
  LoneNode node;
  const std::int64_t asked_ms = node.now;
  node.now += 100;
  node.lead();
  node.on(ev::HandOver{});
  EXPECT_EQ(node.after(50, ev::LeadWon{asked_ms, 4, 10}), Effects{}) << "another node may lead by now";
  EXPECT_FALSE(node.state.leads());
  EXPECT_EQ(node.after(50, ev::LeadWon{node.now, 7, 10}), Effects{begin_leading}) << "it asked again";
}

TEST(LeadershipMachine, follows_an_invitation_until_another_node_leads) {
  LoneNode node;
  node.on(ev::Applied{10});
  node.on(ev::ViewHeard{10, 4, id(2), 2'000});
  EXPECT_EQ(node.on(ev::Invited{}), Effects{ask_lead});
  EXPECT_EQ(node.on(ev::LeadLost{}), Effects{});
  EXPECT_EQ(node.after(20, ev::Tick{}), Effects{ask_lead});
  EXPECT_EQ(node.after(4'001, ev::Tick{}), Effects{}) << "the invitation has ended";
}

TEST(LeadershipMachine, abandons_a_takeover_when_another_node_takes_the_lease) {
  LoneNode node;
  node.on(ev::Applied{10});
  node.on(ev::ViewHeard{10, 4, id(2), -1'000});
  node.on(ev::LeadWon{node.now, 5, 1'000});
  EXPECT_EQ(node.after(1'000, ev::Applied{500}), Effects{renew});
  EXPECT_EQ(node.on(ev::Fenced{}), Effects{});
  EXPECT_EQ(node.on(ev::Applied{1'000}), Effects{});
  EXPECT_FALSE(node.state.leads());
}

TEST(LeadershipMachine, is_leaderless_when_the_log_is_silent_for_a_lease) {
  LoneNode node;
  node.on(ev::Applied{10});
  node.on(ev::ViewHeard{10, 4, id(2), 2'000});
  node.after(3'000, ev::LogSilent{});
  EXPECT_EQ(node.state.role, NodeRole::following);
  node.after(1, ev::LogSilent{});
  EXPECT_EQ(node.state.role, NodeRole::leaderless);
}

TEST(LeadershipMachine, joins_again_after_its_copy_was_replaced) {
  LoneNode node;
  node.lead();
  EXPECT_EQ(node.on(ev::Rebased{3}), (Effects{stop_work, end_leading}));
  EXPECT_EQ(node.state.role, NodeRole::joining);
}

}  // namespace
}  // namespace parley::actors
