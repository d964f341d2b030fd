#include "http/traces/log_merge.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

LogMessage user(const std::string& text) {
  LogMessage message;
  message.role = LogRole::tester;
  message.content = text;
  return message;
}
LogMessage bot(const std::string& text) {
  LogMessage message;
  message.content = text;
  return message;
}
LogMessage tool(const std::string& id, const std::string& more = {}) {
  LogMessage message;
  message.type = EntryType::tool;
  message.name = "lookup";
  message.metadata = {R"({"id":")" + id + "\"" + more + "}"};
  return message;
}

std::string shown(const TracedLog& log) {
  std::string out;
  for (const LogMessage& each : log.messages)
    out += each.type == EntryType::tool ? "(" + each.metadata.text + ") " : each.content.value_or("") + " ";
  return out;
}

TEST(LogMerge, adds_nothing_for_a_repeat) {
  TracedLog log;
  EXPECT_TRUE(merge_trace(log, "t1", {user("hi"), bot("hello")}));
  EXPECT_FALSE(merge_trace(log, "t1", {user("hi"), bot("hello")}));
  EXPECT_EQ(shown(log), "hi hello ");
  EXPECT_EQ(log.parts, (std::vector<TracePart>{{"t1", 0, 2}}));
}

TEST(LogMerge, extends_by_a_span_that_repeats_the_history) {
  TracedLog log;
  merge_trace(log, "t1", {user("hi"), bot("hello")});
  EXPECT_TRUE(merge_trace(log, "t2", {user("hi"), bot("hello"), user("more"), bot("yes")}));
  EXPECT_EQ(shown(log), "hi hello more yes ");
  EXPECT_FALSE(merge_trace(log, "t1", {user("hi"), bot("hello")}));
}

TEST(LogMerge, appends_traces_that_hold_their_own_turn_only) {
  TracedLog log;
  merge_trace(log, "t1", {user("hi"), bot("hello")});
  EXPECT_TRUE(merge_trace(log, "t2", {user("hi"), bot("hello again")}));
  EXPECT_EQ(shown(log), "hi hello hi hello again ");
  EXPECT_EQ(log.parts, (std::vector<TracePart>{{"t1", 0, 2}, {"t2", 2, 2}}));
}

TEST(LogMerge, joins_a_late_span_of_a_tool_by_the_id_of_its_call) {
  TracedLog log;
  merge_trace(log, "t1", {user("hi"), tool("c1")});
  EXPECT_TRUE(merge_trace(log, "t1", {tool("c1", R"(,"result":7)")}));
  EXPECT_FALSE(merge_trace(log, "t1", {tool("c1", R"(,"result":7)")}));
  EXPECT_TRUE(merge_trace(log, "t1", {user("hi"), tool("c1"), bot("seven")}));
  EXPECT_EQ(shown(log), R"(hi ({"id":"c1","result":7}) seven )");
}

TEST(LogMerge, takes_a_tool_that_arrives_before_the_messages) {
  TracedLog log;
  merge_trace(log, "t1", {tool("c1", R"(,"result":7)")});
  EXPECT_TRUE(merge_trace(log, "t1", {user("hi"), bot("seven")}));
  EXPECT_EQ(shown(log), R"(hi ({"id":"c1","result":7}) seven )");
}

TEST(LogMerge, grows_a_part_in_the_middle) {
  TracedLog log;
  merge_trace(log, "t1", {user("one")});
  merge_trace(log, "t2", {user("two")});
  EXPECT_TRUE(merge_trace(log, "t1", {user("one"), bot("1")}));
  EXPECT_EQ(shown(log), "one 1 two ");
  EXPECT_EQ(log.parts, (std::vector<TracePart>{{"t1", 0, 2}, {"t2", 2, 1}}));
}

TEST(LogMerge, appends_turns_of_one_trace_that_have_the_same_answer) {
  TracedLog log;
  merge_trace(log, "t1", {user("hi"), bot("fine")});
  EXPECT_TRUE(merge_trace(log, "t1", {user("bye"), bot("fine")}));
  EXPECT_TRUE(merge_trace(log, "t1", {bot("fine"), user("again")}));
  EXPECT_EQ(shown(log), "hi fine bye fine again ");
}

TEST(LogMerge, forgets_parts_of_a_log_that_was_changed_by_hand) {
  TracedLog log{{user("kept")}, {{"t1", 5, 2}}};
  EXPECT_TRUE(merge_trace(log, "t1", {user("new")}));
  EXPECT_EQ(shown(log), "kept new ");
}

TEST(LogMerge, keeps_parts_in_the_metadata) {
  const std::vector<TracePart> parts{{"t1", 0, 2}, {"t2", 2, 1}};
  const json::Text metadata = with_trace_parts({R"({"a":1,"traces":"odd"})"}, parts);
  EXPECT_EQ(metadata.text,
            R"({"a":1,"traces":[{"id":"t1","from":0,"entries":2},{"id":"t2","from":2,"entries":1}]})");
  EXPECT_EQ(trace_parts(metadata), parts);
  EXPECT_TRUE(trace_parts({R"({"traces":[{"id":1},{"id":"t","from":-1,"entries":2}]})"}).empty());
}

}  // namespace
}  // namespace parley::http
