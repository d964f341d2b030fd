// Writes at a node that gains or loses leadership while it answers them.

#include "http/cluster/cluster_desk.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "actors/base/commit_outcome.hpp"

namespace parley::http {
namespace {

/// A node whose role in the cluster the test sets.
class FakeCluster final : public actors::ClusterGateway {
 public:
  bool leads = false;
  bool is_doubtful = false;  ///< whether the last forwarded write may already have taken effect
  std::vector<std::function<void(actors::PeerOutcome)>> passed_on;
  std::vector<std::function<bool(bool is_late)>> watched;

  [[nodiscard]] std::shared_ptr<const actors::NodeView> view() const override {
    return std::make_shared<const actors::NodeView>();
  }
  [[nodiscard]] const actors::ClusterFigures& figures() const override { return figures_; }
  void note_barrier(std::uint64_t) override {}
  [[nodiscard]] std::uint64_t acknowledged() const override { return 0; }
  [[nodiscard]] std::int64_t lease_left_ms() const override { return leads ? 1'000 : 0; }
  [[nodiscard]] bool reads_here() const override { return leads; }
  [[nodiscard]] bool writes_here() const override { return leads; }
  [[nodiscard]] bool answers_reads() const override { return true; }
  void before_read(std::function<void(actors::ReadGround)> done) override { done({}); }
  void to_leader(actors::PeerRequest request, std::function<void(actors::PeerOutcome)> done) override {
    is_doubtful = request.is_doubtful;
    passed_on.push_back(std::move(done));
  }
  void watch_write(std::int64_t, std::function<bool(bool is_late)> expire) override {
    watched.push_back(std::move(expire));
  }
  void switch_over(std::string, actors::Completion<actors::SwitchedOver>) override {}
  [[nodiscard]] bool invite() override { return false; }

  /// The oldest forwarded write returns with this outcome.
  void come_back(actors::PeerOutcome outcome) {
    const auto done = std::move(passed_on.front());
    passed_on.erase(passed_on.begin());
    done(std::move(outcome));
  }

 private:
  actors::ClusterFigures figures_;
};

/// Answers on the thread of the caller.
class Answers final : public AnswerSink {
 public:
  std::vector<int> statuses;

  void post(Answer answer) override {
    if (auto* resumed = std::get_if<Resumed>(&answer.content)) resumed->work();
    if (auto* response = std::get_if<Response>(&answer.content)) statuses.push_back(response->status);
  }
  void on_answered_twice() override {}
};

struct Write {
  FakeCluster cluster;
  ManualClock clock{Time{1'700'000'000'000}};
  ClusterDesk desk{cluster, Keys(store::Key256{}), clock, ""};
  std::shared_ptr<Answers> answers = std::make_shared<Answers>();
  RequestCounts counts{1};
  RequestsInFlight keys;
  /// One outcome for each time that this node handles the write.
  std::vector<Expected<Reply>> outcomes;
  std::size_t handled = 0;

  void send(bool has_key = false) {
    Request request;
    request.method = "POST";
    request.target = request.path = "/folders";
    if (has_key) request.fields.push_back({"Idempotency-Key", "key"});
    const ReplyTo reply(Responder(answers, 1, 1), CallTrace{"POST", "/folders", 0, "r", 201, {}}, counts);
    desk.place(request, reply, "10.1.2.3", false, [this](const Request& asked, const ReplyTo& to) {
      EXPECT_EQ(asked.path, "/folders");
      auto hold = keys.take("key");
      ASSERT_TRUE(hold) << "the key is still in use";
      to.hold(std::move(*hold));
      to(outcomes.at(handled++));
    });
  }
};

TEST(ClusterDesk, passes_a_write_on_when_the_lead_ends_before_it) {
  Write write;
  write.cluster.leads = true;
  write.outcomes = {actors::no_leader()};
  write.send();
  EXPECT_TRUE(write.answers->statuses.empty());
  outbound::HttpAnswer created;
  created.status = 201;
  write.cluster.come_back(created);
  EXPECT_EQ(write.answers->statuses, std::vector{201});
}

TEST(ClusterDesk, passes_a_write_on_each_time_that_its_node_loses_the_lead) {
  Write write;
  write.outcomes = {actors::no_leader(), actors::no_leader(), json_reply("{}")};
  write.send();
  for (int times = 0; times < 3; ++times) {
    EXPECT_TRUE(write.answers->statuses.empty());
    ASSERT_EQ(write.cluster.passed_on.size(), 1U);
    write.cluster.come_back(actors::LeadsHere{});
  }
  EXPECT_EQ(write.handled, 3U);
  EXPECT_EQ(write.answers->statuses, std::vector{201});
}

TEST(ClusterDesk, answers_no_leader_when_no_node_takes_a_write) {
  Write write;
  write.outcomes = {actors::no_leader()};
  write.send();
  write.cluster.come_back(actors::LeadsHere{});
  ASSERT_EQ(write.cluster.passed_on.size(), 1U);
  write.cluster.come_back(actors::no_leader());
  EXPECT_EQ(write.answers->statuses, std::vector{503});
}

TEST(ClusterDesk, repeats_a_write_in_doubt_only_with_a_key) {
  Write plain;
  plain.cluster.leads = true;
  plain.outcomes = {actors::in_doubt()};
  plain.send();
  EXPECT_EQ(plain.answers->statuses, std::vector{502});

  Write keyed;
  keyed.cluster.leads = true;
  keyed.outcomes = {actors::in_doubt(), actors::no_leader(), json_reply("{}")};
  keyed.send(true);
  for (int times = 0; times < 2; ++times) {
    ASSERT_EQ(keyed.cluster.passed_on.size(), 1U);
    EXPECT_TRUE(keyed.cluster.is_doubtful) << "a later refusal says nothing of the first attempt";
    keyed.cluster.come_back(actors::LeadsHere{true});
  }
  EXPECT_EQ(keyed.answers->statuses, std::vector{201});
}

TEST(ClusterDesk, answers_each_write_in_time) {
  Write write;
  write.send();
  ASSERT_EQ(write.cluster.watched.size(), 1U);
  EXPECT_FALSE(write.cluster.watched.front()(false));
  EXPECT_TRUE(write.cluster.watched.front()(true));
  EXPECT_EQ(write.answers->statuses, std::vector{502});
}

}  // namespace
}  // namespace parley::http
