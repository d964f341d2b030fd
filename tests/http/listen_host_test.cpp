#include "http/listen_host.hpp"

#include <gtest/gtest.h>

namespace parley::http {
namespace {

TEST(ListenHost, keeps_numbers_and_looks_names_up) {
  for (const std::string host : {"127.0.0.1", "0.0.0.0", "::1", "[::1]"})
    EXPECT_EQ(numeric_host(host).value(), host);
  EXPECT_EQ(numeric_host("localhost").value(), "127.0.0.1");
  for (const std::string host : {"", "no such name", "name.invalid"})
    EXPECT_FALSE(numeric_host(host).ok()) << host;
}

}  // namespace
}  // namespace parley::http
