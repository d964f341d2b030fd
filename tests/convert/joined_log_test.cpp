// How the traces of one conversation become one log, and how the tool calls of spans find their places.

#include "convert/traces/joined_log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <ctime>

#include "convert/traces/conversation.hpp"
#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

LogDraft log_of(const std::vector<std::string>& entries) {
  LogDraft log;
  for (const std::string& each : entries) {
    if (each.starts_with("call ")) {
      log.call(each.substr(5), {});
    } else {
      log.say(each.starts_with("u"), each);
    }
  }
  return log;
}

/// The entries of the joined logs, separated by spaces. Users' texts begin with `u`.
std::string joined(const std::vector<std::vector<std::string>>& parts) {
  JoinedLog all;
  for (const std::vector<std::string>& part : parts) all.add(log_of(part));
  std::string out;
  for (const LogEntry& entry : all.take().entries)
    out += (out.empty() ? "" : " ") + (entry.name.empty() ? entry.content : entry.name);
  return out;
}

TEST(JoinedLog, finds_what_a_later_trace_repeats) {
  struct Row {
    std::vector<std::vector<std::string>> parts;
    std::string expected;
  };
  const std::vector<Row> rows{
      {{{"u1", "a1"}, {"u2", "a2"}}, "u1 a1 u2 a2"},              // no history
      {{{"u1", "a1"}, {"u1", "a1", "u2", "a2"}}, "u1 a1 u2 a2"},  // whole history
      {{{"u1", "a1"}, {"u1", "a1", "u2", "a2"}, {"u2", "a2", "u3", "a3"}}, "u1 a1 u2 a2 u3 a3"},  // window
      {{{"u1", "a1", "u2", "a2"}, {"a1", "u2", "a2", "u3", "a3"}}, "u1 a1 u2 a2 u3 a3"},
      {{{"u1", "call f", "a1"}, {"u1", "a1", "u2", "a2"}}, "u1 f a1 u2 a2"},  // a history of texts only
      {{{"u1", "a1"}, {"u1", "call f", "a1", "u2", "a2"}}, "u1 f a1 u2 a2"},
      {{{"u1"}, {"u1", "a1", "u2", "a2"}}, "u1 a1 u2 a2"},      // the first answer was not recorded
      {{{"u1", "call f"}, {"u1", "call f", "a1"}}, "u1 f a1"},  // a turn in two traces
      {{{"u1", "call f"}, {"a1"}}, "u1 f a1"},
      {{{"u1", "a1"}, {"u1", "a2"}}, "u1 a1 u1 a2"},  // the same words again
      {{{"u1", "a1"}, {"u1", "a1"}}, "u1 a1 u1 a1"},
  };
  for (const Row& row : rows) EXPECT_EQ(joined(row.parts), row.expected);
}

TEST(JoinedLog, reports_answers_that_a_history_has_in_other_words) {
  JoinedLog all;
  all.add(log_of({"u1", "a1"}));
  all.add(log_of({"u1", "a1, more or less", "u2", "a2"}));
  Conversion conversion{Options{}};
  const Source source{"a.json", ""};
  all.report(conversion, {source, {1, 1}}, "c");
  EXPECT_THAT(conversion.report.lines(), HasSubstr(R"("source":"history","outcome":"not_mapped")"));
  EXPECT_EQ(all.take().entries.size(), 4U);
}

struct TraceSpan {
  std::string trace;
  std::string begin;
  std::string attributes;  ///< the members of the object
};

Converted convert_spans(const std::vector<TraceSpan>& spans) {
  std::string lines;
  for (const TraceSpan& each : spans) {
    lines += R"({"trace_id":")" + each.trace + R"(","span_id":"s)" + each.begin +
             R"(","name":"step","start_time":)" + each.begin + R"(,"attributes":{)" + each.attributes +
             "}}\n";
  }
  return convert_text("otel", "spans.jsonl", lines);
}

/// `said` alternates between the user and the agent.
std::string chat(const std::vector<std::string>& said, const std::string& answer) {
  std::string input;
  for (std::size_t i = 0; i < said.size(); ++i) {
    input += (i == 0 ? "" : ",") + (R"({"role":")" + std::string(i % 2 == 0 ? "user" : "assistant")) +
             R"(","content":")" + said[i] + "\"}";
  }
  return R"("gen_ai.conversation.id":"c","gen_ai.input.messages":[)" + input +
         R"(],"gen_ai.output.messages":[{"role":"assistant","content":")" + answer + "\"}]";
}

std::string tool(const std::string& arguments, const std::string& result) {
  return R"("gen_ai.operation.name":"execute_tool","gen_ai.tool.name":"f","gen_ai.tool.call.arguments":)" +
         arguments + R"(,"gen_ai.tool.call.result":")" + result + '"';
}

TEST(Traces, of_one_conversation_keep_the_tools_of_earlier_turns) {
  const Converted out = convert_spans({{"t1", "1", tool(R"({"q":1})", "r1")},
                                       {"t1", "2", chat({"u1"}, "a1")},
                                       {"t2", "9", chat({"u1", "a1", "u2"}, "a2")}});
  EXPECT_EQ(out.prepared.totals.logs, 1U);
  EXPECT_THAT(
      out.logs,
      HasSubstr(R"({"role":"tester","content":"u1"},{"type":"tool","role":"chatbot","name":"f",)"
                R"("metadata":{"arguments":{"q":1},"result":"r1"}},{"role":"chatbot","content":"a1"},)"
                R"({"role":"tester","content":"u2"},{"role":"chatbot","content":"a2"}])"));
}

TEST(Traces, place_tools_in_the_turn_of_the_next_model_call) {
  const Converted out = convert_spans({{"t1", "1", tool("{}", "r1")},
                                       {"t1", "2", chat({"u1"}, "a1")},
                                       {"t1", "3", tool("{}", "r2")},
                                       {"t1", "4", chat({"u1", "a1", "u2"}, "a2")},
                                       {"t1", "5", tool("{}", "r3")}});
  const auto place = [&](const std::string& text) { return out.logs.find('"' + text + '"'); };
  for (const auto& [before, after] : {std::pair("u1", "r1"), std::pair("r1", "a1"), std::pair("u2", "r2"),
                                      std::pair("r2", "r3"), std::pair("r3", "a2")})
    EXPECT_LT(place(before), place(after)) << before << " " << after;
}

TEST(Traces, do_not_give_a_result_to_a_call_with_other_arguments) {
  const Converted out = convert_spans(
      {{"t1", "1", tool(R"({"a":2})", "r2")},
       {"t1", "2", tool(R"({"a":1,"b":0})", "r1")},
       {"t1", "5",
        R"("gen_ai.input.messages":[{"role":"user","content":"Q"},{"role":"assistant","tool_calls":[)"
        R"({"id":"c1","name":"f","arguments":{"b":0,"a":1}}]}],)"
        R"("gen_ai.output.messages":[{"role":"assistant","content":"A"}])"}});
  EXPECT_EQ(out.prepared.totals.entries.tool, 2U);
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"b":0,"a":1},"id":"c1","result":"r1"})"));
  EXPECT_THAT(out.logs, HasSubstr(R"({"arguments":{"a":2},"result":"r2"})"));
}

TEST(Traces, report_an_answer_that_the_kept_call_does_not_have) {
  const Converted out = convert_spans({{"t1", "1", chat({"ok"}, "a1")}, {"t1", "9", chat({"ok"}, "a2")}});
  EXPECT_THAT(out.logs, HasSubstr("a2"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"answer","text":"a1","outcome":"not_mapped")"));
  const Converted whole =
      convert_spans({{"t1", "1", chat({"u1"}, "a1")}, {"t1", "9", chat({"u1", "a1", "u2"}, "a2")}});
  EXPECT_THAT(whole.report, Not(HasSubstr("not_mapped")));
}

TEST(Traces, place_many_tools_in_linear_time) {
  LogDraft log = log_of({"u1", "a1"});
  std::vector<ToolCall> tools(100'000);
  for (std::size_t i = 0; i < tools.size(); ++i) {
    tools[i].name = "f";
    tools[i].order = std::to_string(1'000'000 + i);
  }
  const std::clock_t begin = std::clock();
  insert_calls(log, give_to_entries(log, tools), {});
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 6);
  ASSERT_EQ(log.entries.size(), tools.size() + 2);
  EXPECT_EQ(log.entries[1].name, "f");
  EXPECT_EQ(log.entries.back().content, "a1");
}

TEST(Traces, with_more_tools_than_a_log_has_entries_are_refused_soon) {
  std::vector<TraceSpan> spans;
  for (std::size_t i = 0; i < 20'000; ++i)
    spans.push_back({"t1", std::to_string(1'000'000 + i), tool(R"({"i":)" + std::to_string(i) + "}", "r")});
  const std::clock_t begin = std::clock();
  const Converted out = convert_spans(spans);
  EXPECT_LT((std::clock() - begin) / CLOCKS_PER_SEC, 6);
  EXPECT_THAT(out.prepared.faults, HasSubstr("a log is limited to 10,000 entries"));
}

}  // namespace
}  // namespace parley::convert
