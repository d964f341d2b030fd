// Parsers of answers survive any input: valid answers with bytes changed, cut, duplicated (F19, F21).

#include <random>

#include "model/json/json_writer.hpp"
#include "outbound/agents/agent.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;

constexpr int rounds = 5'000;

/// Makes one to four changes: a byte changed, a piece removed or duplicated, a bracket or quote inserted.
std::string mutated(std::string text, std::mt19937& random) {
  const auto below = [&](std::size_t end) { return static_cast<std::size_t>(random() % end); };
  for (std::size_t changes = 1 + below(4); changes > 0 && !text.empty(); --changes) {
    const std::size_t at = below(text.size());
    const std::size_t size = 1 + below(20);
    switch (below(4)) {
      case 0: text[at] = static_cast<char>(below(256)); break;
      case 1: text.erase(at, size); break;
      case 2: text.insert(at, text.substr(at, size)); break;
      default: text.insert(at, 1, "{}[]\",:\\\0n"[below(10)]); break;
    }
  }
  return text;
}

TEST(Mutations, are_answered_with_a_reply_or_a_reason) {
  const std::vector<std::string> answers{
      R"({"message":"Hi","tools":[{"name":"a","metadata":{"k":[1,2.5e3,null]}}],"events":[{"name":"e","public":true}],)"
      R"("metadata":{"cost":0.5},"end":false})",
      R"({"model":"m","choices":[{"message":{"content":"Hi","tool_calls":[{"id":"c","function":{"name":"f",)"
      R"("arguments":"{\"a\":1}"}}]},"finish_reason":"stop"}],"usage":{"prompt_tokens":1,"cost":0.1}})",
      R"({"error":{"message":"no \u00e9 quota"}})",
  };
  std::mt19937 random(20'260'131);
  Agent agents[2];
  agents[0].type = "HTTP";
  agents[0].config = json::Text{R"({"url":"http://agent.test/turn"})"};
  agents[1].type = "OPENAI";
  std::size_t replies = 0;
  std::size_t faults = 0;
  for (int round = 0; round < rounds; ++round) {
    const HttpAnswer answer =
        answer_of(mutated(answers[random() % answers.size()], random), random() % 8 == 0 ? 500 : 200);
    for (const Agent& agent : agents) {
      const AgentAnswer read = finish_turn(agent, answer);
      if (const auto* fault = std::get_if<AgentFault>(&read)) {
        ++faults;
        // The detail is stored and shown, so it must be text.
        std::string quoted;
        json::append_quoted(quoted, fault->detail);
        EXPECT_TRUE(json::parse(quoted).ok()) << quoted;
        EXPECT_FALSE(fault->detail.empty());
      } else {
        ++replies;
        EXPECT_TRUE(json::parse(std::get<AgentReply>(read).metadata.text).ok());
      }
    }
  }
  EXPECT_GT(replies, 100u);
  EXPECT_GT(faults, 100u);
}

}  // namespace
}  // namespace parley::outbound
