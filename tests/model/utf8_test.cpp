// Well-formed UTF-8 (Unicode table 3-7): which texts are accepted, and the position of the fault.

#include "model/text/utf8.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace parley {
namespace {

TEST(Utf8, takes_the_first_and_the_last_of_each_length) {
  for (const std::string text : {"", "a", "\x7f", "\xc2\x80", "\xdf\xbf", "\xe0\xa0\x80", "\xed\x9f\xbf",
                                 "\xee\x80\x80", "\xef\xbf\xbf", "\xf0\x90\x80\x80", "\xf4\x8f\xbf\xbf"}) {
    EXPECT_TRUE(is_utf8(text)) << text;
  }
}

TEST(Utf8, reports_the_offset_of_the_first_fault) {
  const std::vector<std::string> faults{"\x80",
                                        "\xbf",
                                        "\xc0\x80",
                                        "\xc1\xbf",
                                        "\xc2",
                                        "\xc2 ",
                                        "\xe0\x9f\xbf",
                                        "\xe2\x82",
                                        "\xed\xa0\x80",
                                        "\xed\xbf\xbf",
                                        "\xf0\x8f\xbf\xbf",
                                        "\xf4\x90\x80\x80",
                                        "\xf0\x90\x80",
                                        "\xf5",
                                        "\xff"};
  for (const std::string& fault : faults) {
    for (std::size_t before = 0; before < 20; ++before) {
      for (const std::string& letter :
           {std::string("a"), std::string("\xc3\xa9"), std::string("\xf0\x9f\x98\x80")}) {
        std::string text;
        for (std::size_t i = 0; i < before; ++i) text += i % 3 == 0 ? letter : "a";
        const std::size_t at = text.size();
        EXPECT_EQ(utf8_fault(text + fault), at);
        EXPECT_EQ(utf8_fault(text + fault + "more letters behind it"), at);
        EXPECT_TRUE(is_utf8(text));
      }
    }
  }
}

}  // namespace
}  // namespace parley
