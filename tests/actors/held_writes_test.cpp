// Writes in transit to the leader: 503 means that nothing happened; a write whose answer was lost is repeated only if
// it has a key.

#include "actors/cluster/held_writes.hpp"

#include <gtest/gtest.h>

namespace parley::actors {
namespace {

struct ForwardedWrites {
  ClusterFigures figures;
  HeldWrites writes{figures};
  std::vector<std::string> answers;
  std::int64_t now = 50'000;

  void enter(bool has_key = false, bool is_doubtful = false) {
    PeerRequest request;
    request.is_doubtful = is_doubtful;
    request.method = "POST";
    request.target = "/runs";
    request.has_key = has_key;
    writes.enter(
        std::move(request), [this](const PeerOutcome& outcome) { answers.push_back(word_of(outcome)); }, now);
  }
  static std::string word_of(const PeerOutcome& outcome) {
    if (const auto* answer = std::get_if<outbound::HttpAnswer>(&outcome))
      return std::to_string(answer->status);
    if (const auto* why = std::get_if<Problem>(&outcome)) return std::string(row_of(why->kind).slug);
    return "here";
  }
  std::uint64_t send() { return writes.next(now).value().number; }
  void settle(std::int64_t ms, bool leads_here = false) {
    now += ms;
    writes.settle(leads_here, now);
  }
};

outbound::HttpAnswer answer(int status, std::string body = {}) {
  outbound::HttpAnswer made;
  made.status = status;
  made.body = std::move(body);
  return made;
}
outbound::Failure lost() {
  return {outbound::FailureKind::broken, "cut", true};
}
outbound::Failure unsent() {
  return {outbound::FailureKind::connect, "refused", false};
}

TEST(HeldWrites, passes_the_leaders_answer) {
  ForwardedWrites forwarded;
  forwarded.enter();
  forwarded.writes.returned(forwarded.send(), answer(409), forwarded.now);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"409"});
}

TEST(HeldWrites, holds_a_write_for_five_seconds_without_a_leader) {
  ForwardedWrites forwarded;
  forwarded.enter();
  forwarded.settle(4'999);
  EXPECT_TRUE(forwarded.answers.empty());
  forwarded.settle(1);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"no-leader"});
}

TEST(HeldWrites, sends_again_what_did_not_leave_and_what_no_leader_took) {
  ForwardedWrites forwarded;
  forwarded.enter();
  forwarded.writes.returned(forwarded.send(), unsent(), forwarded.now);
  EXPECT_FALSE(forwarded.writes.next(forwarded.now)) << "not at once";
  forwarded.now += send_again_ms;
  forwarded.writes.returned(forwarded.send(), answer(503, R"({"type":"/problems/no-leader"})"),
                            forwarded.now);
  forwarded.now += send_again_ms;
  forwarded.writes.returned(forwarded.send(), answer(201), forwarded.now);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"201"});
  EXPECT_EQ(forwarded.figures.held, 1U);
}

TEST(HeldWrites, is_in_doubt_when_the_answer_is_lost) {
  ForwardedWrites forwarded;
  forwarded.enter();
  forwarded.writes.returned(forwarded.send(), lost(), forwarded.now);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"in-doubt"});
}

TEST(HeldWrites, repeats_a_write_with_a_key_once) {
  ForwardedWrites forwarded;
  forwarded.enter(true);
  forwarded.writes.returned(forwarded.send(), lost(), forwarded.now);
  EXPECT_TRUE(forwarded.answers.empty());
  forwarded.now += send_again_ms;
  forwarded.writes.returned(
      forwarded.send(), answer(409, R"({"type":"/problems/idempotency-key-in-progress"})"), forwarded.now);
  EXPECT_TRUE(forwarded.answers.empty()) << "the first sending is still at work";
  forwarded.now += send_again_ms;
  forwarded.writes.returned(forwarded.send(), lost(), forwarded.now);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"in-doubt"});
}

TEST(HeldWrites, never_answers_503_to_a_write_that_may_have_happened) {
  ForwardedWrites forwarded;
  forwarded.enter(true);
  forwarded.writes.returned(forwarded.send(), lost(), forwarded.now);
  forwarded.settle(15'000);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"in-doubt"});
}

TEST(HeldWrites, repeats_a_write_with_a_key_that_is_in_doubt) {
  ForwardedWrites forwarded;
  forwarded.enter(true);
  forwarded.writes.returned(forwarded.send(), answer(502, R"({"type":"/problems/in-doubt"})"), forwarded.now);
  EXPECT_TRUE(forwarded.answers.empty());
  forwarded.now += send_again_ms;
  forwarded.writes.returned(forwarded.send(), answer(201), forwarded.now);
  forwarded.enter(false);
  forwarded.writes.returned(forwarded.send(), answer(502, R"({"type":"/problems/in-doubt"})"), forwarded.now);
  EXPECT_EQ(forwarded.answers, (std::vector<std::string>{"201", "502"}));
}

TEST(HeldWrites, never_answers_503_to_a_write_that_arrived_in_doubt) {
  ForwardedWrites forwarded;
  forwarded.enter(true, true);
  forwarded.settle(15'000);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"in-doubt"});
}

TEST(HeldWrites, answers_in_time_while_a_write_is_out) {
  ForwardedWrites forwarded;
  forwarded.enter();
  static_cast<void>(forwarded.send());
  forwarded.settle(18'999);
  EXPECT_TRUE(forwarded.answers.empty());
  forwarded.settle(1);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"in-doubt"});
}

Id node(int number) {
  return id_from_text("01900000-0000-7000-8000-00000000000" + std::to_string(number)).value();
}

TEST(HeldWrites, waits_briefly_for_a_node_that_no_longer_leads) {
  for (const bool has_key : {false, true}) {
    ForwardedWrites forwarded;
    forwarded.writes.led_by(node(1), forwarded.now);
    forwarded.enter(has_key);
    const std::uint64_t first = forwarded.send();
    forwarded.writes.led_by(node(2), forwarded.now);
    forwarded.settle(has_key ? 249 : 999);
    EXPECT_TRUE(forwarded.answers.empty());
    forwarded.settle(1);
    EXPECT_EQ(forwarded.answers, has_key ? std::vector<std::string>{} : std::vector<std::string>{"in-doubt"});
    if (!has_key) continue;
    forwarded.now += send_again_ms;
    const std::uint64_t second = forwarded.send();
    forwarded.writes.returned(first, answer(503, R"({"type":"/problems/no-leader"})"), forwarded.now);
    EXPECT_TRUE(forwarded.answers.empty()) << "of the old leader";
    forwarded.writes.returned(second, answer(201), forwarded.now);
    EXPECT_EQ(forwarded.answers, std::vector<std::string>{"201"});
  }
}

TEST(HeldWrites, takes_the_answer_of_a_leader_that_has_just_handed_over) {
  ForwardedWrites forwarded;
  forwarded.writes.led_by(node(1), forwarded.now);
  forwarded.enter();
  const std::uint64_t number = forwarded.send();
  forwarded.writes.led_by({}, forwarded.now);
  forwarded.writes.led_by(node(2), forwarded.now);
  forwarded.settle(500);
  forwarded.writes.returned(number, answer(201), forwarded.now);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"201"});
}

TEST(HeldWrites, returns_waiting_writes_at_a_node_that_now_leads) {
  ForwardedWrites forwarded;
  forwarded.enter();
  forwarded.settle(100, true);
  EXPECT_EQ(forwarded.answers, std::vector<std::string>{"here"});
}

}  // namespace
}  // namespace parley::actors
