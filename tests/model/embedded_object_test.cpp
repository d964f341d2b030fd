// The JSON object embedded in a text of a model (D105).

#include "model/json/embedded_object.hpp"

#include <gtest/gtest.h>

#include <chrono>

namespace parley::json {
namespace {

/// The object, or "none" or "several".
std::string found(std::string_view text) {
  const auto result = only_object(text, {"verdict", "reason"});
  if (const auto* document = std::get_if<Document>(&result)) return document->root().compact().text;
  return std::get<EmbeddedFault>(result) == EmbeddedFault::none ? "none" : "several";
}

TEST(EmbeddedObject, is_found_in_all_that_a_model_writes_D105) {
  const std::string good = R"({"verdict":"passed","reason":"ok"})";
  const std::vector<std::pair<std::string, std::string>> rows{
      {good, good},
      {"```json\n" + good + "\n```", good},
      {"```\n" + good + "```\nDone.", good},
      {"Sure! Here it is: " + good + " I hope {this} helps: {", good},
      {"<think>{\"verdict\":\"failed\",\"reason\":\"draft\"}</think>" + good, good},
      {"I think {\"verdict\":\"failed\",\"reason\":\"draft\"}</think>\n\n" + good, good},
      {good + "\n" + good, good},
      {good + R"( { "reason" : "ok", "verdict" : "\u0070assed" })", good},
      {R"({"result":)" + good + "}", good},
      {"[1," + good + "]", good},
      {R"({"verdict":"passed","reason":"a } \" { b","confidence":0.9})",
       R"({"verdict":"passed","reason":"a } \" { b","confidence":0.9})"},
      {good + R"({"verdict":"failed","reason":"ok"})", "several"},
      {"<think>" + good, "none"},
      {R"({"verdict":"passed"})", "none"},
      {R"({"verdict":"passed","reason":"ok")", "none"},
      {R"({"verdict":"passed","verdict":"failed","reason":"ok"})", "none"},
      {R"("{\"verdict\":\"passed\",\"reason\":\"ok\"}")", "none"},
      {"", "none"},
      {"passed", "none"},
  };
  for (const auto& [text, wanted] : rows) EXPECT_EQ(found(text), wanted) << text;
}

TEST(EmbeddedObject, takes_little_time_for_any_arrangement_of_braces) {
  const auto began = std::chrono::steady_clock::now();
  for (const char* piece : {"{", "{\"", "{}", "{\"a\":", "{\"a\":{}", "}{"}) {
    std::string text;
    while (text.size() < 1'000'000) text += piece;
    EXPECT_EQ(found(text), "none") << piece;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - began, std::chrono::seconds(10));
}

TEST(EmbeddedObject, leaves_out_thoughts_and_one_fence_around_everything) {
  EXPECT_EQ(without_thoughts("<think>a</think> b"), " b");
  EXPECT_EQ(without_thoughts("a</think>b</think>c"), "c");
  EXPECT_EQ(without_thoughts("<think>a"), "");
  EXPECT_EQ(without_thoughts("a < think"), "a < think");
  EXPECT_EQ(without_fence("```text\nHello\nyou\n```"), "Hello\nyou");
  EXPECT_EQ(without_fence(" Hello \n"), "Hello");
  EXPECT_EQ(without_fence("```\na\n```\nand\n```\nb\n```"), "```\na\n```\nand\n```\nb\n```");
  EXPECT_EQ(without_fence("``````"), "``````");
  EXPECT_EQ(without_fence("```"), "```");
}

}  // namespace
}  // namespace parley::json
