#include "app/log/log_line.hpp"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "model/json/json.hpp"

namespace parley::app {
namespace {

/// The members that follow time and level.
std::string members_of(std::string_view text) {
  const std::string line = json_line({Time{0}, "info", text});
  const std::string head = R"({"time":"1970-01-01T00:00:00.000Z","level":"info",)";
  EXPECT_TRUE(line.starts_with(head)) << line;
  EXPECT_TRUE(json::parse(line, json::outside).ok()) << line;
  return line.substr(head.size(), line.size() - head.size() - 1);
}

TEST(LogLine, gives_each_field_a_member) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"stopped", R"("event":"stopped")"},
      {"", R"("event":"")"},
      {"listening beyond loopback: put a proxy in front",
       R"("event":"listening beyond loopback: put a proxy in front")"},
      {"request id=a-1 method=GET route=/runs/{id} status=200 ms=0.412",
       R"("event":"request","id":"a-1","method":"GET","route":"/runs/{id}","status":200,"ms":0.412)"},
      {"retention removed kind=\"test result\" id=01",
       R"("event":"retention removed","kind":"test result","id":"01")"},
      {"listening address=[::1]:7410 data=/my data",
       R"("event":"listening","address":"[::1]:7410","data":"/my data")"},
      {"stopped all_answered=true", R"("event":"stopped","all_answered":"true")"},
      {"a b=", R"("event":"a","b":"")"},
      {"b=1", R"("event":"","b":1)"},
  };
  for (const auto& [text, members] : rows) EXPECT_EQ(members_of(text), members);
}

TEST(LogLine, writes_numbers_as_numbers_unless_a_caller_chose_them) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"0", "0"},
      {"-7", "-7"},
      {"1.50", "1.50"},
      {"007", R"("007")"},
      {"1e5", R"("1e5")"},
      {"1.", R"("1.")"},
      {".5", R"(".5")"},
      {"-", R"("-")"},
      {"+1", R"("+1")"},
      {"0x1", R"("0x1")"},
      {"\"7\"", R"("7")"},
      {"999999999999999", "999999999999999"},
      {"1000000000000000", R"("1000000000000000")"},
  };
  for (const auto& [value, written] : rows)
    EXPECT_EQ(members_of("e n=" + value), R"("event":"e","n":)" + written);
  EXPECT_EQ(members_of("e id=7 request=8 trace=9"), R"("event":"e","id":"7","request":"8","trace":"9")");
}

TEST(LogLine, keeps_a_hostile_value_in_its_member_S15) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {R"(x" level="error)", R"(x\" level=\"error)"},
      {R"(x" status=200 y="z)", R"(x\" status=200 y=\"z)"},
      {"a=b c=d", "a=b c=d"},
      {"\"", R"(\")"},
      {"", ""},
      {"line\n{\"event\":\"forged\"}\r\t\x1b[31m", R"(line\n{\"event\":\"forged\"}\r\t\u001b[31m)"},
      {"caf\xe9", R"(caf\\xe9)"},
      {"caf\xc3\xa9", "caf\xc3\xa9"},
  };
  for (const auto& [value, written] : rows)
    EXPECT_EQ(members_of("cannot start n=1 reason=\"" + value + "\""),
              R"("event":"cannot start","n":1,"reason":")" + written + "\"");
  EXPECT_EQ(members_of("e id=\"q method=GET"), R"("event":"e","id":"\"q","method":"GET")");
}

TEST(LogLine, gives_a_field_whose_name_is_taken_a_suffix) {
  EXPECT_EQ(members_of("e time=1 level=2 event=3 a=4 a=5 a=6"),
            R"("event":"e","time_2":1,"level_2":2,"event_2":3,"a":4,"a_2":5,"a_3":6)");
}

}  // namespace
}  // namespace parley::app
