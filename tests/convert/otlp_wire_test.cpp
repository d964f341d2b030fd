#include "convert/traces/otlp_wire.hpp"

#include <gtest/gtest.h>

namespace parley::convert {
namespace {

std::string field(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 2)) + static_cast<char>(bytes.size()) + bytes;
}
std::string varint(int number, int value) {
  return {static_cast<char>(number << 3), static_cast<char>(value)};
}
std::string fixed64(int number, const std::string& bytes) {
  return std::string(1, static_cast<char>(number << 3 | 1)) + bytes;
}
std::string request_of(const std::string& span) {
  return field(1, field(2, field(2, span)));
}

TEST(OtlpWire, reads_a_span_with_every_kind_of_value) {
  const std::string text = field(9, field(1, "a") + field(2, field(1, "x")));
  const std::string number = field(9, field(1, "n") + field(2, varint(3, 5)));
  const std::string list =
      field(9, field(1, "l") + field(2, field(5, field(1, varint(2, 1)) + field(1, field(1, "y")))));
  const std::string map =
      field(9, field(1, "m") + field(2, field(6, field(1, field(1, "k") + field(2, field(7, "\xff"))))));
  const std::string half =
      field(9, field(1, "d") + field(2, fixed64(4, std::string("\0\0\0\0\0\0\xe0\x3f", 8))));
  const std::string span = field(1, "\x01\xab") + field(5, "chat") +
                           fixed64(7, std::string("\x02\0\0\0\0\0\0\0", 8)) + text + number + list + map +
                           half + field(15, varint(3, 2));
  const auto json = otlp_json(request_of(span));
  ASSERT_TRUE(json);
  EXPECT_EQ(
      *json,
      R"({"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"01ab","name":"chat","startTimeUnixNano":"2",)"
      R"("attributes":[{"key":"a","value":{"stringValue":"x"}},{"key":"n","value":{"intValue":"5"}},)"
      R"({"key":"l","value":{"arrayValue":{"values":[{"boolValue":true},{"stringValue":"y"}]}}},)"
      R"({"key":"m","value":{"kvlistValue":{"values":[{"key":"k","value":{"bytesValue":"ff"}}]}}},)"
      R"({"key":"d","value":{"doubleValue":0.5}}],"status":{"code":2}}]}]}]})");
}

TEST(OtlpWire, skips_fields_that_it_does_not_know) {
  EXPECT_EQ(otlp_json("").value_or(""), "{}");
  EXPECT_EQ(otlp_json(varint(9, 1) + field(8, "x") + fixed64(7, "12345678")).value_or(""), "{}");
}

TEST(OtlpWire, refuses_malformed_messages) {
  const std::string whole = request_of(field(5, "chat"));
  for (std::size_t size = 1; size < whole.size(); ++size)
    EXPECT_FALSE(otlp_json(whole.substr(0, size))) << size;
  EXPECT_FALSE(otlp_json(request_of(field(5, "\xff"))));  // not UTF-8
  EXPECT_FALSE(otlp_json(varint(1, 1)));                  // a number instead of a message
  EXPECT_FALSE(otlp_json("\x0b"));                        // a group
  EXPECT_FALSE(otlp_json(std::string(11, '\xff')));       // a varint that never ends
  EXPECT_FALSE(
      otlp_json(std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\x7f", 10)));  // a length beyond the input
}

TEST(OtlpWire, refuses_values_that_nest_without_end) {
  std::string value = field(1, "deep");
  for (int level = 0; level < 30; ++level) value = field(5, field(1, value));
  EXPECT_FALSE(otlp_json(request_of(field(9, field(1, "a") + field(2, value)))));
}

}  // namespace
}  // namespace parley::convert
