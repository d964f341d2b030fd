// How much the assertions of one result may cost together, and what is left undecided beyond that (F23, I65).

#include <algorithm>
#include <random>

#include "tests/scoring/conversation_builder.hpp"
#include "tests/support/cpu_time.hpp"

namespace parley::scoring {
namespace {

using Results = std::vector<AssertionResult>;

Builder eight_megabytes() {
  Builder large;
  for (int i = 0; i < 8; ++i) large.chatbot(std::string(1'000'000, 'x'));
  return large;
}

constexpr std::string_view hostile = R"("[ab]*a[ab]{900}c")";

/// Caching never helps the search for the hostile pattern, and the `c` comes too early for a match.
std::string tossed(std::size_t bytes) {
  std::mt19937 random(3);
  std::string text = "aaaaaaaaaac";
  while (text.size() < bytes) text += (random() & 1U) == 0 ? 'a' : 'b';
  return text;
}

std::size_t in_error_of(const Results& results) {
  return static_cast<std::size_t>(std::count_if(
      results.begin(), results.end(), [](const AssertionResult& one) { return one.status == in_error; }));
}

TEST(Work, of_a_result_is_bounded_for_all_its_assertions_together_F23) {
  Builder large;
  for (int i = 0; i < 8; ++i) large.chatbot(tossed(20'000));
  std::vector<Assertion> assertions(100, assertion("regex", R"({"pattern":)" + std::string(hostile) + "}"));
  assertions.push_back(assertion("contains", R"({"value":"ab"})"));
  CheckedConfigs kept;
  const StopFlag never = false;
  const double began = test::cpu_seconds();
  const Results results = judge(large.subject(), assertions, kept, never).value();
  EXPECT_LT(test::cpu_seconds() - began, 60) << "nine seconds by itself";
  EXPECT_EQ(results.front().status, failed);
  const std::size_t beyond = in_error_of(results);
  EXPECT_GT(beyond, 90u);
  EXPECT_LT(beyond, 100u);
  EXPECT_EQ(results[99].reason, too_much_work);
  EXPECT_EQ(results.back().status, passed) << "what needs less can still be decided";
  EXPECT_EQ(judge(large.subject(), assertions, kept, never), results) << "whatever was decided before";
}

TEST(Work, of_compiling_patterns_is_done_once_for_many_conversations) {
  std::vector<Assertion> assertions;
  for (int i = 0; i < 8; ++i) {
    assertions.push_back(assertion("regex", R"({"negate":true,"pattern":"(?i)\\b(\\pL+)@(\\pL+)\\.(\\pL+)%)" +
                                                std::to_string(i) + R"("})"));
  }
  Builder talk;
  talk.chatbot("a").chatbot("b");
  CheckedConfigs kept;
  const StopFlag never = false;
  const double began = test::cpu_seconds();
  for (int i = 0; i < 400; ++i)
    EXPECT_EQ(judge(talk.subject(), assertions, kept, never)->back().status, passed);
  EXPECT_LT(test::cpu_seconds() - began, 1.5) << "four, were they made for each";
}

TEST(Work, gives_each_verdict_independently_of_other_conversations) {
  const std::string odd = R"({"type":"regex","config":{"negate":true,"pattern":"a[ab]{11}c"}})";
  const std::vector<Assertion> assertions{
      assertion("regex", R"({"pattern":"a[ab]{11}c"})"),
      assertion("assert-set", R"({"assertions":[)" + odd + "," + odd + "]}")};
  const std::string text = tossed(30'000);
  CheckedConfigs kept;
  const StopFlag never = false;
  for (std::size_t at = 0; at < text.size(); at += 300) {
    Builder talk;
    talk.chatbot(text.substr(at, 150))
        .chatbot(text.substr(at + 150, 150) + (at % 900 == 0 ? "abbbbbbbbbbbc" : ""));
    const Results results = judge(talk.subject(), assertions);
    EXPECT_EQ(word_of(results.front().status), word_of(at % 900 == 0 ? passed : failed)) << at;
    EXPECT_EQ(judge(talk.subject(), assertions, kept, never), results) << at;
  }
}

TEST(Work, suffices_for_usual_patterns_on_long_conversations_D31) {
  const std::string line = "The quick brown fox jumps over the lazy dog while it rains in Oslo. ";
  std::string megabyte;
  while (megabyte.size() < 1'000'000) megabyte += line;
  std::string words = "(?i)\\\\b(";
  for (int i = 0; i < 20; ++i) words += (i == 0 ? "charge ?back" : "|reimburse") + std::to_string(i);
  std::vector<Assertion> assertions;
  for (int i = 0; i < 40; ++i) {
    assertions.push_back(
        assertion("regex", R"({"negate":true,"pattern":")" + words + std::to_string(i) + R"()\\b"})"));
  }
  Builder in_pieces;
  for (int i = 0; i < 50; ++i) in_pieces.chatbot(megabyte.substr(0, 20'000));
  Builder in_one;
  in_one.chatbot(megabyte);
  for (const Builder* one : {&in_pieces, &in_one}) {
    for (const AssertionResult& result : judge(one->subject(), assertions))
      EXPECT_EQ(word_of(result.status), word_of(passed)) << result.reason;
  }
  Builder twenty;
  for (int i = 0; i < 20; ++i) twenty.chatbot(megabyte);
  EXPECT_EQ(judge_one(twenty.subject(), assertions.front()).status, passed);
}

TEST(Work, of_a_schema_is_done_once_for_verdict_and_reason) {
  Builder large;
  large.chatbot(R"({"a":")" + tossed(150'000) + R"("})");
  const AssertionResult result = judge_one(
      large.subject(),
      assertion("is-json", R"({"schema":{"properties":{"a":{"pattern":)" + std::string(hostile) + "}}}}"));
  EXPECT_EQ(result.status, failed) << result.reason.substr(0, 100);
}

TEST(Work, of_one_hostile_pattern_ends_soon_F23) {
  Builder large;
  large.chatbot(tossed(900'000));
  const double began = test::cpu_seconds();
  const AssertionResult result =
      judge_one(large.subject(), assertion("regex", R"({"pattern":)" + std::string(hostile) + "}"));
  EXPECT_EQ(result.status, in_error);
  EXPECT_LT(test::cpu_seconds() - began, 5) << "seven, were it decided";
}

TEST(Work, of_looking_for_many_texts_counts_F23) {
  std::string values;
  for (int i = 0; i < 90; ++i)
    values += (i == 0 ? "\"" : ",\"") + std::string(900, 'x') + std::to_string(i) + "y\"";
  const std::vector<Assertion> assertions(15, assertion("contains-any", R"({"values":[)" + values + "]}"));
  const Builder large = eight_megabytes();
  const Results results = judge(large.subject(), assertions);
  EXPECT_EQ(results.front().status, failed);
  EXPECT_GT(in_error_of(results), 5u);
}

TEST(Work, of_looking_for_loops_counts_I65) {
  Builder talk;
  talk.chatbot("How may I help?").tool("search", R"({"arguments":{"for":"trains"}})");
  for (const char* text : {R"({"of":"messages"})", R"({"of":"tools"})"}) {
    const auto config = json::parse(text);
    CompiledPatterns patterns;
    Conversation conversation(talk.subject(), patterns);
    EXPECT_TRUE(conversation.work().take(Work::steps_max - 10));
    EXPECT_EQ(decide_turned(*find_kind("no-loop"), config.value().root(), conversation).found, too_much_work);
  }
}

TEST(Work, of_distinguishing_calls_is_done_once_and_takes_eight_steps_a_byte_F23) {
  Builder talk;
  std::string numbers = "1";
  while (numbers.size() < 90'000) numbers += ",1";
  for (int i = 0; i < 20; ++i) talk.tool("t", R"({"arguments":{"a":[)" + numbers + "]}}");
  const std::size_t bytes = 20 * numbers.size();
  const auto config = json::parse("{}");
  CompiledPatterns patterns;
  for (const bool suffices : {true, false}) {
    Conversation conversation(talk.subject(), patterns);
    EXPECT_TRUE(conversation.work().take(Work::steps_max - (suffices ? 9 : 7) * bytes));
    for (int i = 0; i < 3; ++i) {
      const Verdict verdict = decide_turned(*find_kind("no-loop"), config.value().root(), conversation);
      EXPECT_EQ(verdict.found == too_much_work, !suffices) << verdict.found;
    }
  }
  const std::vector<Assertion> assertions(100, assertion("no-loop", ""));
  const double began = test::cpu_seconds();
  EXPECT_EQ(judge(talk.subject(), assertions).back().status, failed);
  EXPECT_LT(test::cpu_seconds() - began, 3)
      << "five, were they told apart for each, and thirty where nothing is optimized";
}

TEST(Work, beyond_the_bound_gives_no_verdict_at_all) {
  Builder large;
  const std::string text = tossed(900'000);
  large.chatbot("\"" + text + "\"", R"({"a":")" + text + R"("})");
  const std::string pattern(hostile);
  for (const Assertion& one :
       {assertion("regex", R"({"pattern":)" + pattern + "}"),
        assertion("regex", R"({"negate":true,"pattern":)" + pattern + "}"),
        assertion("json", R"({"pointer":"/a","matches":)" + pattern + "}"),
        assertion("json", R"({"pointer":"/a","negate":true,"matches":)" + pattern + "}"),
        assertion("is-json", R"({"schema":{"pattern":)" + pattern + "}}"),
        assertion("json-schema", R"({"pointer":"/a","schema":{"not":{"pattern":)" + pattern + "}}}"),
        assertion("assert-set", R"({"assertions":[{"type":"regex","config":{"pattern":)" + pattern + "}}]}"),
        assertion("wildcard", R"({"pattern":"*a)" + std::string(900, '?') + R"(c*"})")}) {
    const AssertionResult result = judge_one(large.subject(), one);
    EXPECT_EQ(word_of(result.status), word_of(in_error)) << one.type << result.reason.substr(0, 100);
    EXPECT_NE(result.reason.find(too_much_work), std::string::npos)
        << one.type << result.reason.substr(0, 100);
  }
  EXPECT_EQ(judge_one(large.subject(), assertion("regex", R"({"pattern":"x+b"})")).status, failed);
}

TEST(Work, is_interrupted_when_the_process_stops_D91) {
  Builder small;
  small.chatbot("x");
  const std::vector<Assertion> assertions{assertion("contains", R"({"value":"x"})")};
  CheckedConfigs configs;
  StopFlag stop = false;
  EXPECT_TRUE(judge(small.subject(), assertions, configs, stop));
  stop = true;
  EXPECT_FALSE(judge(small.subject(), assertions, configs, stop));
}

TEST(Work, is_not_spent_on_text_that_is_not_a_pattern_of_a_schema) {
  std::string examples;
  for (int i = 0; i < 500; ++i) examples += (i == 0 ? "" : ",") + std::string(R"({"pattern":"\\PL{300}"})");
  Builder small;
  small.chatbot("{}", R"({"a":{"pattern":"x","examples":"y"}})");
  const double began = test::cpu_seconds();
  const AssertionResult result = judge_one(
      small.subject(), assertion("json-schema", R"({"pointer":"/a","schema":{"examples":[)" + examples +
                                                    R"(],"properties":{"pattern":{"pattern":"x"},)"
                                                    R"("examples":{"pattern":"^y$"}}}})"));
  EXPECT_EQ(result.status, passed) << result.reason;
  EXPECT_LT(test::cpu_seconds() - began, 1) << "5 ms for each pattern";
}

}  // namespace
}  // namespace parley::scoring
