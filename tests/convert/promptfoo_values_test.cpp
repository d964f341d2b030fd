#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

TEST(PromptfooValues, fills_in_dumped_variables) {
  const Converted out = convert_text("promptfoo", "c.yaml", R"yaml(
prompts:
  - '[{"role": "system", "content": {{ rules | dump }}}, {"role": "user", "content": {{q|dump}}}]'
tests: [{vars: {rules: Be kind, q: 'Say "tea"'}}]
)yaml");
  EXPECT_THAT(out.suite, HasSubstr(R"(say: "Say \"tea\"")"));
  EXPECT_EQ(out.prepared.totals.disabled, 0U);
  const Converted text = convert_text("promptfoo", "c.yaml", R"yaml(
prompts: ["Repeat {{ q | dump }} and {{ q | safe }}", "{{ q | upper }}"]
tests: [{vars: {q: 'a "b"'}}]
)yaml");
  EXPECT_THAT(text.suite, HasSubstr(R"(say: "Repeat \"a \\\"b\\\"\" and a \"b\"")"));
}

TEST(PromptfooValues, names_tests_by_variables_in_the_order_of_the_file) {
  const Prepared prepared = convert_texts("promptfoo", {{"c.yaml", R"yaml(
prompts: ["{{context}} {{question}} {{language}}"]
defaultTest: {vars: {language: French}}
tests: [{vars: {context: file://long.txt, question: "Which tea?"}}]
)yaml"},
                                                        {"long.txt", "All about tea."}});
  ASSERT_FALSE(prepared.files.empty());
  EXPECT_THAT(prepared.files.front().content, HasSubstr("name: \"Which tea?, French, All about tea.\""));
}

}  // namespace
}  // namespace parley::convert
