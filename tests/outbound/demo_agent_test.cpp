// The built-in agent (D70).

#include "outbound/agents/demo_agent.hpp"

#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::task_of;

struct DemoRow {
  std::string said;
  std::string answered;
  std::size_t tools = 0;
  std::size_t events = 0;
  bool ends = false;
};

TEST(DemoAgent, answers_by_what_was_said) {
  const std::string greeting =
      "Hello! I am the demo shop. Ask me about order 42, say that you want to buy, or say bye.";
  const std::vector<DemoRow> rows{
      {"Hello", greeting},
      {"hi!", greeting},
      {"", "You said: "},
      {"this is odd", "You said: this is odd"},
      {"Where is order 42?", "Order 42 has been sent and arrives on Friday.", 1},
      {"ORDER number #42", "Order 42 has been sent and arrives on Friday.", 1},
      {"order 7", "I cannot find an order 7.", 1},
      {"order 1234567890", "You said: order 1234567890"},
      {"I lost my order", "You said: I lost my order"},
      {"order number", "You said: order number"},
      {"I want to buy", "Choose how many you want, then confirm the order.", 0, 1},
      {"Show me the buttons", "Choose how many you want, then confirm the order.", 0, 1},
      {"Good-bye", "Goodbye.", 0, 0, true},
  };
  for (const DemoRow& row : rows) {
    const AgentReply reply = demo_reply(task_of({}, row.said));
    EXPECT_EQ(reply.message, row.answered) << row.said;
    EXPECT_EQ(reply.tools.size(), row.tools) << row.said;
    EXPECT_EQ(reply.events.size(), row.events) << row.said;
    EXPECT_EQ(reply.ends, row.ends) << row.said;
    EXPECT_EQ(reply.metadata.text, R"({"responseTime":0})");
    EXPECT_EQ(demo_reply(task_of({}, row.said)), reply);
  }
}

TEST(DemoAgent, looks_an_order_up_with_a_tool) {
  const AgentReply reply = demo_reply(task_of({}, "order 42"));
  const std::vector<AgentTool> wanted{
      {"lookup_order", {R"({"arguments":{"order":"42"},"result":{"status":"sent","arrives":"Friday"}})"}}};
  EXPECT_EQ(reply.tools, wanted);
  EXPECT_EQ(demo_reply(task_of({}, "order 7")).tools.front().metadata.text,
            R"({"arguments":{"order":"7"},"result":null})");
}

TEST(DemoAgent, registers_an_action_and_carries_it_out) {
  const AgentReply form = demo_reply(task_of({}, "buy"));
  EXPECT_TRUE(form.events.front().is_public);
  EXPECT_TRUE(json::parse(form.events.front().metadata.text).ok());
  AgentTask task = task_of({}, "");
  task.message.reset();
  task.action = AgentAction{"confirm_order", {R"({"quantity":2})"}};
  const AgentReply reply = demo_reply(task);
  EXPECT_EQ(reply.message, "Thank you. Your order number is 42.");
  EXPECT_EQ(reply.tools.front().metadata.text, R"({"arguments":{"quantity":2},"result":{"order":"42"}})");
  task.action->name = "other";
  EXPECT_EQ(demo_reply(task).message, "I cannot do other.");
}

TEST(DemoAgent, stays_within_the_bound_of_a_message) {
  const AgentReply reply = demo_reply(task_of({}, std::string(limits::content_bytes_max, 'x')));
  EXPECT_LE(reply.message->size(), limits::content_bytes_max);
}

}  // namespace
}  // namespace parley::outbound
