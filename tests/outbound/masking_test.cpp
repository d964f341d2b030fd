// What is removed from a text (D23, I67).

#include <gtest/gtest.h>

#include "outbound/redaction/redaction.hpp"
#include "tests/support/cpu_time.hpp"

namespace parley::outbound {
namespace {

struct Spelling {
  std::string secret;
  std::string text;
  std::string redacted;
};

TEST(Masking, finds_a_secret_however_it_is_spelt) {
  const std::string many(40, '\\');
  for (const Spelling& row : std::vector<Spelling>{
           {"sk-abcdef", "my sk-abcdef!", "my ***!"},
           {"sk-abcdef", "sk-abcdefsk-abcdef", "******"},
           {"sk-abc/def", R"(sk-abc\/def)", "***"},
           {"sk-abcdef", R"(sk\u002dabcdef \u0073k-abcdef)", "*** ***"},
           {"sk-abcdef", R"({\"a\":\"sk\\u002dabcdef\"})", R"({\"a\":\"***\"})"},
           {"p\xc3\xa4ssw\xc3\xb6rd", R"(p\u00e4ssw\u00F6rd)", "***"},
           {"key\xf0\x9f\x98\x80word", R"(key\ud83d\ude00word)", "***"},
           {"sk\"abcdef", R"(sk\\\"abcdef)", "***"},
           {R"(sk\abcdef)", R"(sk\\abcdef)", "***"},
           {"sk-abcdef", many + "sk-abcdef", "***"},
           {"sk-abcdef", "sk" + many + "-abcdef.", "***."},
           {R"(abcdefg\)", R"("abcdefg\\")", R"("***")"},
           {R"(abcdefg\)", R"(abcdefg\ and on)", "*** and on"},
           {R"(\abcdefg)", R"(say \\\abcdefg)", "say ***"},
           {R"(key\u0075abc)", R"(key\u0075abc)", "***"},
           {R"("sk-abcdef")", R"({"key":"sk-abcdef"})", R"({"key":***})"},
           {R"("sk-abcdef")", "I have sk-abcdef", "I have ***"},
           {"Bearer 'sk-abcdef'", "I have sk-abcdef", "I have ***"},
           {"Bearer sk-abcdef", "Bearer sk-abcdef, sk-abcdef", "***, ***"},
           {" sk-abcdef\t", "<sk-abcdef>", "<***>"},
           {"xyxyxy", "xyxyxyxy", "***"},
           {"abcde", "abcde", "abcde"},
           {"sk-abcdef", R"(sk-abcde sk\abcdef sk-abcde\u0067)", R"(sk-abcde sk\abcdef sk-abcde\u0067)"},
           {R"(\\\\\\)", R"(a\nb)", R"(a\nb)"},
           {R"(\\\\\\)", R"(a\\\\\\\\b)", "a***b"},
           {R"(ab\cdefg)", R"(ab\u005ccdefg)", "***"},
           {"token-123", R"(C:\\token-123 C:\\token\u002d123)", "C:*** C:***"},
           {R"(C:\token-1)", R"({"path":"C:\\token-1"})", R"({"path":"***"})"},
           {"a\tb-secret", R"(a\tb-secret, a\\tb-secret)", "***, ***"},
           {R"(\u0041\u0042)", R"(\\u0041\\u0042 AB)", "*** AB"},
       }) {
    EXPECT_EQ(without_secrets(row.text, {{"X-Key", row.secret}}), row.redacted) << row.secret;
  }
}

TEST(Masking, leaves_no_rest_of_secrets_that_overlap) {
  const Secrets secrets{{"A", "first-key"}, {"B", "key-second"}};
  EXPECT_EQ(without_secrets("a first-key-second b", secrets), "a *** b");
}

TEST(Masking, takes_no_longer_for_a_text_of_backslashes) {
  const std::string text(4'000'000, '\\');
  EXPECT_EQ(without_secrets(text, {{"X-Key", "sk-abcdef"}}), text);
}

TEST(Masking, takes_no_longer_for_secrets_and_texts_of_one_letter_F23) {
  const std::string secret(30'000, 'a');
  const std::string plain(1'000'000, 'a');
  std::string escaped;
  for (int i = 0; i < 150'000; ++i) escaped += "\\u0061";
  std::string mixed = plain;
  for (std::size_t i = 0; i < mixed.size(); i += 29'000) mixed[i] = '\\';
  const double began = test::cpu_seconds();
  EXPECT_EQ(without_secrets(plain, {{"X-Key", secret}}), "***");
  EXPECT_EQ(without_secrets(escaped, {{"X-Key", secret}}), "***");
  EXPECT_EQ(without_secrets(mixed, {{"X-Key", secret}}), "***");
  for (const std::string& text : {plain + '\\', escaped, mixed})
    EXPECT_EQ(without_secrets(text, {{"X-Key", secret + "b"}}), text);
  EXPECT_LT(test::cpu_seconds() - began, 30)
      << "some 0.1 s by itself, minutes were each byte held against the secret";
}

}  // namespace
}  // namespace parley::outbound
