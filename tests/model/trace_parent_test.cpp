#include "model/text/trace_parent.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace parley {
namespace {

const std::string sound = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

TEST(TraceParent, is_read_and_sent_on_as_it_came_D10) {
  const auto trace = TraceParent::read(sound);
  ASSERT_TRUE(trace);
  EXPECT_EQ(*trace, (TraceParent{"4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7", "01"}));
  EXPECT_EQ(trace->text(), sound);
}

TEST(TraceParent, of_a_later_version_may_go_on) {
  const std::string later = "cc" + sound.substr(2);
  EXPECT_EQ(TraceParent::read(later), TraceParent::read(sound));
  EXPECT_EQ(TraceParent::read(later + "-what-comes"), TraceParent::read(sound));
  EXPECT_FALSE(TraceParent::read(later + ".what"));
}

TEST(TraceParent, that_is_malformed_is_ignored) {
  const std::vector<std::string> rows{"",
                                      "00",
                                      sound.substr(1),
                                      sound + "-00",
                                      "ff" + sound.substr(2),
                                      "0G" + sound.substr(2),
                                      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
                                      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
                                      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
                                      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-0x",
                                      "00_4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"};
  for (const std::string& row : rows) EXPECT_FALSE(TraceParent::read(row)) << row;
}

}  // namespace
}  // namespace parley
