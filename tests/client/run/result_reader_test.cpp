#include "client/run/result_reader.hpp"

#include <gtest/gtest.h>

namespace parley::client {
namespace {

double seconds_of(const std::string& status) {
  const auto result = json::parse(R"({"id": "r", "status": ")" + status + R"(",
    "createdAt": "2026-11-25T11:00:00.000Z", "updatedAt": "2026-11-25T12:00:08.000Z",
    "conversation": [
      {"id": "a", "type": "message", "role": "tester", "content": "Hi", "createdAt": "2026-11-25T12:00:00.000Z"},
      {"id": "b", "type": "message", "role": "tester", "content": "?", "createdAt": "2026-11-25T12:00:02.500Z"}]})");
  return read_result(result->root(), {}, {}).row.seconds;
}

TEST(ResultReader, measures_a_fault_until_the_last_change) {
  EXPECT_DOUBLE_EQ(seconds_of("failed"), 8);
  EXPECT_DOUBLE_EQ(seconds_of("completed"), 2.5);
}

}  // namespace
}  // namespace parley::client
