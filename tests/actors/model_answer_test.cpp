// Which parts of a model's answer are used (I67, D51a, F21).

#include <gtest/gtest.h>

#include "actors/models/model_call.hpp"

namespace parley::actors {
namespace {

const std::string key = "sk-canary-4711";

outbound::ChatEndpoint endpoint() {
  return {"http://judge/v1", "j", key};
}

outbound::HttpOutcome answered(const std::string& body, int status = 200) {
  outbound::HttpAnswer answer;
  answer.status = status;
  answer.body = body;
  return answer;
}

TEST(ModelAnswer, repeats_no_key_in_a_fault_I67) {
  const std::string words(280, 'x');  // so long that truncation would cut the key in two
  for (const auto& [body, status] : std::vector<std::pair<std::string, int>>{
           {R"({"error":{"message":"bad key )" + key + R"("}})", 401},
           {R"({"error":{"message":"bad key sk\u002dcanary-4711"}})", 401},
           {R"({"why":"bad key sk\u002dcanary-4711"})", 401},
           {R"({"error":{"message":")" + words + " " + key + R"("}})", 401},
           {words + key, 500},
           {"no JSON " + key, 200},
           {"[\"" + key + "\"]", 200},
           {R"({"error":{"message":"bad key )" + key + R"("}})", 200},
       }) {
    const auto read = chat_of(answered(body, status), endpoint());
    ASSERT_TRUE(std::holds_alternative<VoidAnswer>(read)) << body;
    const VoidAnswer& nothing = std::get<VoidAnswer>(read);
    EXPECT_EQ(nothing.fault.detail.find("canary"), std::string::npos) << nothing.fault.detail;
    EXPECT_FALSE(nothing.fault.detail.empty());
    EXPECT_EQ(nothing.again, status == 200);
  }
}

TEST(ModelAnswer, repeats_no_key_in_what_was_said_I67) {
  const auto read = chat_of(
      answered(R"({"model":"m )" + key + R"(","choices":[{"message":{"content":"I have )" + key +
               R"(.","refusal":"not )" + key + R"(","tool_calls":[{"function":{"name":"f","arguments":)" +
               R"({"a":")" + key + R"("}}}]}}]})"),
      endpoint());
  ASSERT_TRUE(std::holds_alternative<ChatAnswer>(read));
  ChatAnswer wanted;
  wanted.model = "m ***";
  wanted.content = "I have ***.";
  wanted.refusal = "not ***";
  wanted.calls = {{"", "f", {R"({"a":"***"})"}}};
  EXPECT_EQ(std::get<ChatAnswer>(read), wanted);
}

TEST(ModelAnswer, reveals_no_key_in_the_escapes_of_JSON_within_JSON_I67) {
  const auto read =
      chat_of(answered(R"({"choices":[{"message":{"content":"{\"reason\":\"sk\\u002dcanary-4711\"}"}}]})"),
              endpoint());
  EXPECT_EQ(std::get<ChatAnswer>(read).content, R"({"reason":"***"})");
}

TEST(ModelAnswer, leaves_the_digits_of_a_number_alone) {
  outbound::ChatEndpoint numeric = endpoint();
  numeric.api_key = "123456";
  const auto read = chat_of(
      answered(
          R"({"choices":[{"message":{"tool_calls":[{"function":{"name":"f","arguments":{"a":1234567}}}]}}]})"),
      numeric);
  EXPECT_EQ(std::get<ChatAnswer>(read).calls.front().arguments.text, R"({"a":1234567})");
}

TEST(ModelAnswer, is_void_and_requested_again_if_it_reports_an_error_D35) {
  const auto read = chat_of(answered(R"({"choices":[{"finish_reason":"error","error":{"message":"DOWN"},)"
                                     R"("message":{"content":"{\"verdict\":\"passed\"}"}}]})"),
                            endpoint());
  ASSERT_TRUE(std::holds_alternative<VoidAnswer>(read));
  EXPECT_EQ(std::get<VoidAnswer>(read).fault,
            (CallFault{"provider_error", "The model answered with an error: DOWN"}));
  EXPECT_TRUE(std::get<VoidAnswer>(read).again);
}

TEST(ModelAnswer, may_contain_the_placeholder_key_of_a_local_model) {
  outbound::ChatEndpoint local = endpoint();
  local.api_key = "ollama";
  const auto read = chat_of(answered(R"({"choices":[{"message":{"content":"I run in ollama."}}]})"), local);
  EXPECT_EQ(std::get<ChatAnswer>(read).content, "I run in ollama.");
}

TEST(ModelAnswer, is_asked_for_again_without_the_schema_that_an_endpoint_refuses) {
  const outbound::ChatEndpoint judge = endpoint();
  const auto other = chat_of(answered("temperature is unknown", 400), judge);
  EXPECT_FALSE(std::get<VoidAnswer>(other).again);
  EXPECT_FALSE(judge.habits->refuses_schema);
  const auto refused = chat_of(answered(R"({"error":"response_format is unknown"})", 400), judge);
  EXPECT_TRUE(std::get<VoidAnswer>(refused).again);
  EXPECT_TRUE(judge.habits->refuses_schema);
}

}  // namespace
}  // namespace parley::actors
