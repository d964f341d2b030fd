#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/convert/convert_text.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Inspect, reports_a_log_without_samples) {
  for (const std::string text : {R"({"version":2,"status":"error","eval":{"task":"t"},"samples":[]})",
                                 R"({"version":2,"status":"error","eval":{"task":"t"}})"}) {
    const Converted out = convert_recognized("a.json", text);
    EXPECT_EQ(out.prepared.faults, "");
    EXPECT_THAT(out.report, HasSubstr(R"("source":"log","text":"error","outcome":"not_mapped")"));
    EXPECT_THAT(out.prepared.notes, HasSubstr("a.json: note: nothing could be converted"));
  }
}

TEST(Inspect, reports_what_a_log_cannot_hold) {
  const Converted out = convert_text(
      "inspect", "a.json",
      R"({"eval":{},"status":"error","error":{"message":"boom"},"samples":[{"uuid":"u1","messages":[)"
      R"({"role":"user","content":"Q"}],"error":{"message":"x"},"metadata":{"k":"v"},"store":{}}]})");
  EXPECT_THAT(out.report, HasSubstr(R"("kind":"run","source":"error","text":"{\"message\":\"boom\"}")"));
  EXPECT_THAT(out.report, HasSubstr(R"("log":"u1","source":"error","text":"{\"message\":\"x\"}")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"metadata")"));
  EXPECT_THAT(out.report, Not(HasSubstr(R"("source":"store")")));
}

TEST(Inspect, reads_constants_that_json_does_not_have) {
  const Converted out = convert_recognized(
      "a.json",
      R"({"version":2,"status":"success","eval":{},"results":[NaN,-Infinity],"samples":[{"uuid":"u1",)"
      R"("messages":[{"role":"user","content":"Is NaN a \"number\"?"}],"scores":{"s":{"value":NaN}}}]})");
  EXPECT_EQ(out.prepared.totals.format, "inspect");
  EXPECT_THAT(out.logs, HasSubstr(R"("scores":{"s":{"value":null}})"));
  EXPECT_THAT(out.logs, HasSubstr(R"("content":"Is NaN a \"number\"?")"));
  EXPECT_THAT(out.report, HasSubstr(R"("source":"NaN","outcome":"approximated")"));
  EXPECT_EQ(out.prepared.report.count(Outcome::approximated), 3U);
}

}  // namespace
}  // namespace parley::convert
