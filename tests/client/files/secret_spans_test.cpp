// No source line shown with a fault reveals a secret that is written in the file.
#include "client/files/secret_spans.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace parley::client {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// The text with **** in place of the hidden parts.
std::string masked(std::string text) {
  const auto file = source::source_file("a.yaml", text);
  const auto spans = secret_spans(file);
  for (auto each = spans.rbegin(); each != spans.rend(); ++each)
    text.replace(each->begin, each->end - each->begin, "****");
  return text;
}

TEST(SecretSpans, are_the_literal_parts_of_secret_values) {
  struct Row {
    const char* text;
    const char* shown;
  };
  const Row rows[] = {
      {"judge: {key: sk-1, model: m}", "judge: {key: ****, model: m}"},
      {"judge: {key: 'sk-1'}", "judge: {key: '****'}"},
      {"judge: {key: \"${KEY}\"}", "judge: {key: \"${KEY}\"}"},
      {"judge: {key: \"a${KEY:-b}c\"}", "judge: {key: \"****${KEY:-****}****\"}"},
      {"judge: {key: \"${sk-1}\"}", "judge: {key: \"****\"}"},
      {"judge: {key: \"file:key.txt\"}", "judge: {key: \"file:key.txt\"}"},
      {"agents: {a: {secrets: {Authorization: \"Bearer ${T}\", b: x y}}}",
       "agents: {a: {secrets: {Authorization: \"Bearer ${T}\", b: ****}}}"},
      {"agents: {a: {secrts: {b: x}, apiKey: y, headers: {Authorization: z}}}",
       "agents: {a: {secrts: {b: ****}, apiKey: ****, headers: {Authorization: ****}}}"},
      {"x: &a sk-1\njudge: {key: *a}", "x: &a ****\njudge: {key: *a}"},
      {"judge: {url: \"http://me:word@host/v1\"}", "judge: {url: \"http://****@host/v1\"}"},
      {"agents: {a: {http: me:word@host}}", "agents: {a: {http: ****@host}}"},
      {"tests: [{key: latte, data: {key: id}}]", "tests: [{key: latte, data: {key: id}}]"},
      {"judge: {key: a, key: b}", "judge: {key: ****"},
      {"judge: {key: sk-1\nname: x", "judge: {key: ****\nname: x"},
      {"a:\n  secrets:\n    x: sk-1\n  b: [", "a:\n  secrets:\n    ****\n  b: ["},
  };
  for (const Row& row : rows) EXPECT_EQ(masked(row.text), row.shown);
}

TEST(SecretSpans, include_every_line_of_a_block) {
  EXPECT_THAT(masked("judge:\n  key: |\n    one\n    two\n  model: m\n"),
              ::testing::AllOf(Not(HasSubstr("one")), Not(HasSubstr("two")), HasSubstr("model: m")));
}

TEST(SecretSpans, are_hidden_under_a_fault) {
  std::vector<source::SourceFault> faults(1);
  faults[0].message = "unknown key";
  faults[0].place = {source::source_file("a.yaml", "judge: {key: sk-1234567, bogus: 1}\n"), {25, 30}};
  hide_secrets(faults);
  EXPECT_EQ(source::fault_text(faults[0]),
            "a.yaml:1:26: error: unknown key\n"
            "    1 | judge: {key: ****, bogus: 1}\n"
            "      |                    ^~~~~\n");
}

TEST(SecretSpans, hide_a_secret_file_that_is_not_utf_8) {
  std::vector<source::SourceFault> faults(1);
  faults[0].code = "not-utf8";
  faults[0].place = {source::source_file("key.txt", "sk-1\xFF"), {4, 5}};
  hide_secrets(faults);
  EXPECT_THAT(source::fault_text(faults[0]), Not(HasSubstr("sk-1")));
}

TEST(Url, has_a_user_only_before_its_host) {
  EXPECT_TRUE(has_user("http://me:word@host/"));
  EXPECT_TRUE(has_user("https://token@host"));
  EXPECT_FALSE(has_user("https://host/a@b"));
  EXPECT_FALSE(has_user("me@host"));
}

}  // namespace
}  // namespace parley::client
