// The callback URL of a workflow, and whether it can be reached (D72, D74).

#include "outbound/agents/callback_url.hpp"

#include <gtest/gtest.h>

namespace parley::outbound {
namespace {

const GithubConfig github;  // for github.com

TEST(CallbackUrl, of_this_machine_leads_nowhere_D74) {
  for (const std::string url :
       {"http://127.0.0.1:7410", "http://127.9.9.9", "http://localhost:7410/base", "http://a.localhost",
        "http://[::1]:7410", "http://0.0.0.0:7410", "http://[::]:7410", "http://[::ffff:127.0.0.1]:80",
        "http://10.0.0.7:0", "https://parley.example:0/base"}) {
    const auto fault = fault_of_callback(url, github);
    ASSERT_TRUE(fault) << url;
    EXPECT_NE(fault->find(url), std::string::npos) << *fault;
    EXPECT_NE(fault->find("--public-url"), std::string::npos) << *fault;
  }
}

TEST(CallbackUrl, of_another_machine_may_be_reached) {
  for (const std::string url :
       {"https://parley.example.com", "http://10.0.0.7:7410", "http://[fd00::7]:7410/base",
        "https://parley.example:10", "https://localhost.example", "http://1.127.0.0:80"})
    EXPECT_FALSE(fault_of_callback(url, github)) << url;
}

TEST(CallbackUrl, is_fine_for_a_GitHub_on_this_machine) {
  GithubConfig own;
  for (const std::string api : {"http://127.0.0.1:9", "http://localhost:9/api/v3", "http://[::1]:9"}) {
    own.api_url = api;
    EXPECT_FALSE(fault_of_callback("http://127.0.0.1:7410", own)) << api;
  }
}

}  // namespace
}  // namespace parley::outbound
