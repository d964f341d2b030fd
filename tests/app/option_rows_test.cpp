// What options take, where it is more than a number or a word (D1, D90).

#include <gtest/gtest.h>

#include "app/config.hpp"

namespace parley::app {
namespace {

bool takes(const std::string& option, const std::string& value) {
  return configured({{option, value, "command line"}}).ok();
}

TEST(BasePath, is_made_of_segments_that_every_client_sends_as_they_are_D1) {
  for (const char* path : {"", "/parley", "/qa/par-ley_1.~/v2", "/.well-known", "/..."})
    EXPECT_TRUE(takes("base-path", path)) << path;
  for (const char* path : {"x", "/", "//", "/x/", "/x//y", "/a b", "/x?y", "/x#y", "/\xc3\xbc", "/%2f", "/x>",
                           "/x;y", "/.", "/..", "/../x", "/x/.", "/x/./y"})
    EXPECT_FALSE(takes("base-path", path)) << path;
}

}  // namespace
}  // namespace parley::app
