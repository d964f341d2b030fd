// Damaged requests, cut at random: segmentation never matters, and no input breaks the framer (F29, I64).

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "tests/http/support/framing.hpp"

namespace parley::http {
namespace {

using support::post_with;
using support::transcript;
using support::with_fields;

const std::array seeds{
    with_fields("A: b\r\n") + with_fields("Connection: close\r\n"),
    post_with("Content-Length: 5\r\n", "abcde") + with_fields(""),
    post_with("Transfer-Encoding: chunked\r\n", "3;x\r\nabc\r\n1\r\nd\r\n0\r\nT: u\r\n\r\n") +
        with_fields(""),
    std::string("\r\nOPTIONS http://h:80?q HTTP/1.1\r\nHost: [::1]:80\r\nExpect: 100-continue\r\n\r\n"),
};

class Damage {
 public:
  explicit Damage(unsigned seed) : random_(seed) {}

  [[nodiscard]] std::size_t below(std::size_t end) {
    return std::uniform_int_distribution<std::size_t>(0, end - 1)(random_);
  }

  /// Changes, removes, duplicates or inserts one to four bytes, mostly characters with a meaning.
  std::string of(std::string bytes) {
    constexpr std::string_view telling("\r\n :;,\t\0/?*0f-+\x7f\xff", 18);
    for (auto times = below(4) + 1; times > 0 && !bytes.empty(); --times) {
      const auto at = below(bytes.size());
      switch (below(4)) {
        case 0: bytes[at] = telling[below(telling.size())]; break;
        case 1: bytes.erase(at, 1 + below(3)); break;
        case 2: bytes.insert(at, bytes.substr(at, 1 + below(8))); break;
        default: bytes.insert(at, 1, telling[below(telling.size())]); break;
      }
    }
    return bytes;
  }

  std::vector<std::string_view> cut(std::string_view bytes) {
    std::vector<std::string_view> pieces;
    while (!bytes.empty()) {
      const auto size = std::min(bytes.size(), below(12) + 1);
      pieces.push_back(bytes.substr(0, size));
      bytes.remove_prefix(size);
    }
    return pieces;
  }

 private:
  std::mt19937 random_;
};

TEST(Framer, reads_damaged_requests_alike_however_they_are_cut) {
  constexpr unsigned rounds = 20'000;
  Damage damage(7410);
  std::size_t refused = 0;
  for (unsigned round = 0; round < rounds; ++round) {
    const auto bytes = damage.of(seeds[damage.below(seeds.size())]);
    const auto whole = transcript({bytes});
    ASSERT_EQ(transcript(damage.cut(bytes)), whole) << ::testing::PrintToString(bytes);
    refused += whole.ends_with("more") ? 0U : 1U;
  }
  EXPECT_GT(refused, rounds / 4) << "most damage must matter";
  EXPECT_LT(refused, rounds);
}

}  // namespace
}  // namespace parley::http
