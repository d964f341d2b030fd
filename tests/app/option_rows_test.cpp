// The values that options accept, beyond plain numbers and words (D1, D75, D90).

#include <gtest/gtest.h>

#include "app/options/config.hpp"

namespace parley::app {
namespace {

bool takes(const std::string& option, const std::string& value) {
  return configured({{option, value, "command line"}}).ok();
}

TEST(BasePath, has_only_segments_that_every_client_sends_unchanged_D1) {
  for (const char* path : {"", "/parley", "/qa/par-ley_1.~/v2", "/.well-known", "/..."})
    EXPECT_TRUE(takes("base-path", path)) << path;
  for (const char* path : {"x", "/", "//", "/x/", "/x//y", "/a b", "/x?y", "/x#y", "/\xc3\xbc", "/%2f", "/x>",
                           "/x;y", "/.", "/..", "/../x", "/x/.", "/x/./y"})
    EXPECT_FALSE(takes("base-path", path)) << path;
}

TEST(PrivateAgents, are_true_or_false_or_networks_and_never_empty_D75) {
  for (const char* value : {"true", "false", "10.0.0.0/8", "10.0.0.0/8,192.168.1.7/32", "fd00::/8"})
    EXPECT_TRUE(takes("allow-private-agents", value)) << value;
  for (const char* value :
       {"", ",", "10.0.0.0/8,", ",10.0.0.0/8", "10.0.0.0/8,,fd00::/8", "True", "10.0.0.0/33"})
    EXPECT_FALSE(takes("allow-private-agents", value)) << value;
}

TEST(TimesToStart, are_not_zero_D72_D73) {
  for (const char* option : {"github-timeout", "local-lease"}) {
    EXPECT_TRUE(takes(option, "1ms")) << option;
    for (const char* value : {"0", "0s", "0d", ""}) EXPECT_FALSE(takes(option, value)) << option << value;
  }
  EXPECT_TRUE(takes("conversation-deadline", "0s")) << "there it says: without end";
}

}  // namespace
}  // namespace parley::app
