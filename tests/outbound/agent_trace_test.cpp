// The traceparent of calls to agents (W3C Trace Context, D10, ADR 9).

#include <algorithm>

#include "outbound/agents/agent.hpp"
#include "tests/outbound/agent_values.hpp"

namespace parley::outbound::testing {
namespace {

const std::string launched_as = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

std::vector<EntryText> turn_of(std::uint8_t id) {
  Entry turn = entry_of(EntryType::message, Role::tester, "Hello");
  turn.id = id_of(id);
  return texts_of({turn});
}

Agent agent_of(std::string type, std::string config) {
  Agent agent;
  agent.type = std::move(type);
  agent.config.text = std::move(config);
  return agent;
}

std::optional<std::string> sent_trace(const Agent& agent, const AgentTask& task) {
  const auto step = begin_turn(agent, {}, task);
  return value_of(std::get<AgentCall>(step).request, "traceparent");
}

TEST(AgentTrace, continues_the_trace_of_the_launch_with_a_parent_for_each_turn) {
  const auto first = trace_of(id_of(1), id_of(2), launched_as);
  const auto second = trace_of(id_of(1), id_of(3), launched_as);
  EXPECT_EQ(first.trace_id, "0af7651916cd43dd8448eb211c80319c");
  EXPECT_EQ(first.flags, "00") << "whoever launched does not sample";
  EXPECT_NE(first.parent_id, "b7ad6b7169203331");
  EXPECT_NE(first.parent_id, second.parent_id);
  EXPECT_EQ(TraceParent::read(first.text()), first);
}

TEST(AgentTrace, is_the_results_own_if_the_launch_had_none) {
  const auto trace = trace_of(id_of(1), id_of(2), std::nullopt);
  std::string digits = to_text(id_of(1));
  digits.erase(std::remove(digits.begin(), digits.end(), '-'), digits.end());
  EXPECT_EQ(trace.trace_id, digits);
  EXPECT_EQ(TraceParent::read(trace.text()), trace);
}

TEST(AgentTrace, is_sent_to_webhooks_and_models_and_is_the_same_for_each_attempt) {
  const auto task = agent_task(id_of(1), turn_of(2), {}, launched_as);
  const std::string expected = trace_of(id_of(1), id_of(2), launched_as).text();
  for (const Agent& agent : {agent_of("HTTP", R"({"url":"http://x"})"),
                             agent_of("OPENAI", R"({"url":"http://x/v1","model":"m"})")}) {
    EXPECT_EQ(sent_trace(agent, *task), expected) << agent.type;
    EXPECT_EQ(sent_trace(agent, *agent_task(id_of(1), turn_of(2), {}, launched_as)), expected) << agent.type;
  }
}

TEST(AgentTrace, gives_way_to_a_header_of_the_agents_owner) {
  const Agent agent = agent_of("HTTP", R"({"url":"http://x","headers":{"TraceParent":"mine"}})");
  EXPECT_EQ(sent_trace(agent, *agent_task(id_of(1), turn_of(2), {})), std::nullopt) << "it is there already";
}

}  // namespace
}  // namespace parley::outbound::testing
