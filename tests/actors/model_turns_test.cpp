// Turns that a model writes for a client (D47, D61): one per request.

#include <map>

#include "actors/result/result_moves.hpp"
#include "model/limits.hpp"
#include "tests/actors/support/stage.hpp"

namespace parley::actors::test {
namespace {

Settings with_model() {
  Settings settings;
  settings.tester_model.emplace();
  settings.tester_model->url = "http://127.0.0.1:1/v1";
  settings.tester_model->model = "m";
  return settings;
}

/// A client-driven result whose tester is a model that answers when the test says so.
class ModelTurns : public ::testing::Test {
 protected:
  using Done = std::function<void(outbound::HttpOutcome, int)>;

  ModelTurns() : stage_(with_model()) {
    OutboundPort outside;
    outside.start = [this](const outbound::HttpRequest&, outbound::RetryRules, Done done) {
      open_.emplace(++last_, std::move(done));
      return last_;
    };
    outside.cancel = [this](outbound::CallId call) {
      end(call, outbound::Failure{outbound::FailureKind::canceled, "canceled", true});
    };
    stage_.set_outside(std::move(outside));
    CreateResult command = stage_.case_of(stage_.new_run());
    command.test_case.instruction = "Ask what the weather is like.";
    result_ = stage_.new_result(command);
  }
  /// A call that stays open would keep its actor alive indefinitely.
  ~ModelTurns() override {
    const auto left = std::exchange(open_, {});
    for (const auto& [call, done] : left) done(outbound::Failure{}, 1);
    stage_.actors->settle();
  }

  void end(outbound::CallId call, const outbound::HttpOutcome& outcome) {
    const auto found = open_.find(call);
    if (found == open_.end()) return;
    const Done done = std::move(found->second);
    open_.erase(found);
    done(outcome, 1);
  }
  void speak() {
    ASSERT_EQ(open_.size(), 1U);
    outbound::HttpAnswer answer;
    answer.status = 200;
    answer.body = R"({"choices":[{"finish_reason":"stop","message":{"content":"Is it raining?"}}]})";
    end(open_.begin()->first, answer);
  }
  [[nodiscard]] bool is_ready() {
    return stage_.must(result_, NextMessage{}).value().turn.value_or(TesterReply{}).ready;
  }
  [[nodiscard]] std::size_t entries() { return stage_.conversation(result_).size(); }

  std::map<outbound::CallId, Done> open_;
  outbound::CallId last_ = 0;
  Stage stage_;
  Id result_;
};

TEST_F(ModelTurns, one_turn_is_written_for_all_callers_and_repeated_D47) {
  EXPECT_FALSE(is_ready());
  EXPECT_FALSE(is_ready());
  speak();
  stage_.actors->settle();
  EXPECT_TRUE(is_ready());
  EXPECT_TRUE(is_ready());
  EXPECT_EQ(entries(), 1U);
  EXPECT_TRUE(open_.empty());
}

/// The chatbot's reply may be followed by a form before the client asks for the next turn: an unrequested turn would be
/// written without regard to the form.
TEST_F(ModelTurns, no_turn_is_written_before_a_client_asks_however_fast_the_reply_D47) {
  EXPECT_FALSE(is_ready());
  speak();
  stage_.actors->settle_but_writer();  // the turn is being saved
  const ResultAnswer reply = stage_.ask(result_, says("no"));
  stage_.actors->settle();
  EXPECT_EQ(reply.status(), 200);
  EXPECT_EQ(entries(), 2U);
  EXPECT_TRUE(open_.empty()) << "the next turn was asked for by nobody";
  EXPECT_FALSE(is_ready());
  speak();
  stage_.actors->settle();
  EXPECT_EQ(entries(), 3U);
}

/// A turn that cannot be recorded is not worth a call; without the bound, the conversation could never end.
TEST_F(ModelTurns, no_turn_is_requested_if_the_conversation_is_full_D55) {
  constexpr std::size_t posts = 64;
  const std::size_t around = static_cast<std::size_t>(moves::bytes_of(says("")));
  const std::string text(limits::conversation_bytes_max / posts - around, 'x');
  for (std::size_t i = 0; i < posts; ++i) static_cast<void>(stage_.must(result_, says(text)));
  const ResultReply reply = stage_.must(result_, NextMessage{}).value();
  stage_.actors->settle();
  EXPECT_TRUE(open_.empty());
  EXPECT_TRUE(reply.turn.value_or(TesterReply{}).end_chat);
  EXPECT_EQ(reply.head.end_reason, EndReason::conversation_full);
  EXPECT_EQ(entries(), posts);
}

TEST_F(ModelTurns, one_that_a_full_disk_refused_is_saved_later_F3) {
  EXPECT_FALSE(is_ready());
  stage_.refuse_commits(true);
  speak();
  stage_.actors->settle();
  EXPECT_EQ(entries(), 0U);
  stage_.refuse_commits(false);
  stage_.actors->pass(std::chrono::seconds(5));
  stage_.actors->settle();
  EXPECT_EQ(entries(), 1U);
  const ResultAnswer reply = stage_.must(result_, says("no"));
  EXPECT_TRUE(open_.empty());
}

/// After a refused commit, everything that arrived meanwhile is decided again; a void answer must not be counted each
/// time.
TEST_F(ModelTurns, one_void_answer_is_asked_for_again_however_often_it_is_decided_D48) {
  EXPECT_FALSE(is_ready());
  stage_.refuse_commits(true);
  std::vector<ResultAnswer> replies;
  replies.push_back(stage_.ask(result_, says("one")));
  stage_.actors->settle_but_writer();
  ASSERT_EQ(open_.size(), 1U);
  outbound::HttpAnswer nothing;
  nothing.status = 200;
  nothing.body = "<html>";
  end(open_.begin()->first, nothing);
  for (int round = 0; round < 4; ++round) {
    replies.push_back(stage_.ask(result_, says("more")));
    stage_.actors->settle_but_writer();
    stage_.actors->settle_writer();
  }
  stage_.actors->settle();
  stage_.refuse_commits(false);
  stage_.actors->pass(std::chrono::seconds(5));
  stage_.actors->settle();
  EXPECT_EQ(stage_.head(result_).status, ResultStatus::running);
  EXPECT_EQ(open_.size(), 1U) << "it is asked for again";
}

}  // namespace
}  // namespace parley::actors::test
