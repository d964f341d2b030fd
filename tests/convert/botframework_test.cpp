#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(BotFramework, knows_accounts_by_their_ids_and_by_the_other_side) {
  constexpr const char* said = R"([{"role":"tester","content":"Hi"},{"role":"chatbot","content":"Hello"}])";
  for (const auto& [user, bot] :
       {std::pair(R"({"id":"29:u","name":"Jane Talbot"})", R"({"id":"28:b","name":"Contoso Help"})"),
        std::pair(R"({"id":"u","name":"Jane Talbot"})", R"({"id":"b","name":"HelpBot"})"),
        std::pair(R"({"id":"u","name":"User"})", R"({"id":"b","name":"Contoso Help"})")}) {
    const Converted out = convert_text(
        "botframework", "a.transcript",
        std::string(R"([{"type":"message","id":"1","text":"Hi","from":)") + user + R"(,"recipient":)" + bot +
            R"(},{"type":"message","id":"2","text":"Hello","from":)" + bot + R"(,"replyToId":"1"}])");
    EXPECT_THAT(out.logs, HasSubstr(said)) << user;
  }
  const Converted replied =
      convert_text("botframework", "a.transcript",
                   R"([{"type":"message","id":"1","text":"Hi","from":{"id":"u","role":"user"}},)"
                   R"({"type":"message","id":"2","text":"Hello","from":{"id":"b"},"replyToId":"1"}])");
  EXPECT_THAT(replied.logs, HasSubstr(said));
}

TEST(BotFramework, recognizes_the_activities_of_copilot_studio) {
  const Converted out = convert_recognized(
      "a.json",
      R"({"activities":[{"type":"trace","from":{"id":"","role":0}},)"
      R"({"type":"message","from":{"id":"u","role":1},"text":"Hi"},)"
      R"({"type":"message","from":{"id":"b","role":0},"text":"Hello","speak":"Hello!","entities":[]},)"
      R"({"type":"message","from":{"id":"u","role":1},"value":{"choice":1}}]})");
  EXPECT_EQ(out.prepared.totals.format, "botframework");
  EXPECT_THAT(out.report, HasSubstr(R"("source":"speak","text":"Hello!","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"value","text":"{\"choice\":1}","outcome":"not_mapped")"));
  EXPECT_THAT(out.report, Not(HasSubstr(R"("source":"entities")")));
}

}  // namespace
}  // namespace parley::convert
