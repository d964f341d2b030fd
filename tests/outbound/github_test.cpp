// The dispatch of a GITHUB agent's workflow (D72).

#include "outbound/agents/github.hpp"

#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;
using testing::code_of;
using testing::id_of;
using testing::value_of;

TEST(Github, dispatches_the_workflow_with_ids_as_text_D72) {
  const GithubConfig config = std::get<GithubConfig>(
      github_config({R"({"owner":"acme","repo":"bot.x","workflow":"run+me.yml","ref":"feature/\"a\""})"}));
  const std::vector<Id> results{id_of(1), id_of(2)};
  const auto request = std::get<HttpRequest>(
      github_request(config, {{"token", "t"}}, {id_of(9), results, "https://parley.example"}));
  EXPECT_EQ(request.method, "POST");
  EXPECT_EQ(request.url, "https://api.github.com/repos/acme/bot.x/actions/workflows/run%2Bme.yml/dispatches");
  EXPECT_EQ(request.body, R"({"ref":"feature/\"a\"","inputs":{"run_id":")" + to_text(id_of(9)) +
                              R"(","test_result_ids":"[\")" + to_text(id_of(1)) + R"(\",\")" +
                              to_text(id_of(2)) + R"(\"]","base_url":"https://parley.example"}})");
  EXPECT_EQ(*value_of(request, "Authorization"), "Bearer t");
  EXPECT_EQ(*value_of(request, "Accept"), "application/vnd.github+json");
  EXPECT_EQ(*value_of(request, "X-GitHub-Api-Version"), "2022-11-28");
  EXPECT_NE(value_of(request, "User-Agent"), std::nullopt);
  EXPECT_TRUE(request.needs_fresh_connection) << "so that it is never sent twice";
}

TEST(Github, calls_an_enterprise_server_and_sends_results_without_a_run) {
  const GithubConfig config = std::get<GithubConfig>(github_config(
      {R"({"owner":"o","repo":"r","workflow":"7","ref":"m","apiUrl":"https://ghe.example/api/v3/"})"}));
  const auto request = std::get<HttpRequest>(github_request(config, {{"token", "t"}}, {{}, {}, ""}));
  EXPECT_EQ(request.url, "https://ghe.example/api/v3/repos/o/r/actions/workflows/7/dispatches");
  EXPECT_NE(request.body.find(R"("run_id":"","test_result_ids":"[]")"), std::string::npos) << request.body;
}

TEST(Github, needs_a_token_that_a_header_can_carry) {
  const GithubConfig config;
  EXPECT_EQ(code_of(github_request(config, {}, {})), "invalid_secret");
  EXPECT_EQ(code_of(github_request(config, {{"token", ""}}, {})), "invalid_secret");
  EXPECT_EQ(code_of(github_request(config, {{"token", "t\r\nA: b"}}, {})), "invalid_secret");
}

TEST(Github, accepts_any_2xx_and_reports_any_other_status) {
  EXPECT_FALSE(read_github(answer_of("", 204)));
  EXPECT_FALSE(read_github(answer_of("<html>", 200)));
  const auto fault = read_github(answer_of(R"({"message":"Bad credentials","status":"401"})", 401));
  ASSERT_TRUE(fault);
  EXPECT_EQ(*fault, (AgentFault{"bad_status", "GitHub answered 401: Bad credentials"}));
  EXPECT_TRUE(read_github(answer_of("", 302)));
  EXPECT_EQ(read_github(answer_of("no ghp_123456", 403), {{"token", "ghp_123456"}})->detail,
            "GitHub answered 403: no ***");
  for (const char* body : {R"({"message":"no ghp\/123+456"})", R"({"message":"no ghp\u002f123\u002B456"})"}) {
    EXPECT_EQ(read_github(answer_of(body, 401), {{"token", "ghp/123+456"}})->detail,
              "GitHub answered 401: no ***");
  }
}

}  // namespace
}  // namespace parley::outbound
