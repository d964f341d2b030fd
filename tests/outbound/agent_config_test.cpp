// The configs of agent types (D70-D72).

#include "outbound/agents/agent_config.hpp"

#include <algorithm>

#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

std::vector<std::string> config_faults(const std::string& type, const std::string& config,
                                       bool strict = false) {
  Agent agent;
  agent.type = type;
  agent.config.text = config;
  Findings findings;
  findings.strict = strict;
  check_agent_config(agent, findings);
  std::vector<std::string> pointers;
  for (const Fault& fault : findings.faults) {
    EXPECT_FALSE(fault.detail.empty());
    pointers.push_back(fault.pointer);
  }
  std::sort(pointers.begin(), pointers.end());
  return pointers;
}

struct ConfigRow {
  std::string type;
  std::string config;
  std::vector<std::string> pointers;
};

void expect_config_faults(const std::vector<ConfigRow>& rows) {
  for (const ConfigRow& row : rows) {
    EXPECT_EQ(config_faults(row.type, row.config), row.pointers)
        << row.type << " " << row.config.substr(0, 200);
  }
}

TEST(AgentConfig, knows_the_types_and_checks_no_config_of_client_driven_agents_D70) {
  expect_config_faults({
      {"NOPE", "{}", {"/type"}},
      {"http", "{}", {"/type"}},
      {"", R"({"url":1})", {}},
      {"EXTERNAL", R"({"url":1})", {}},
      {"LOCAL", "{}", {}},
      {"DEMO", R"({"anything":[]})", {}},
  });
}

TEST(AgentConfig, wants_a_url_that_can_be_called_D71_F34) {
  for (const char* url : {"null", "\"\"", "1", "\"ftp://x/\"", "\"file:///etc/passwd\"", "\"http://\"",
                          "\"http://:80/\"", "\"http://u@x/\"", "\"http://u:p@x/\"", "\"http://x/ y\"",
                          R"("http://x/\r\nA: b")", R"("http://x\\@y/")", "\"x\"", "\"//x/\"",
                          "\"http://x:0/\"", "\"http://0x7f.1/\"", "\"http://[::1/\""}) {
    expect_config_faults({{"HTTP", R"({"url":)" + std::string(url) + "}", {"/config/url"}}});
  }
  expect_config_faults({
      {"HTTP", "{}", {"/config/url"}},
      {"HTTP", R"({"url":"http://x/)" + std::string(4'096, 'a') + "\"}", {"/config/url"}},
      {"HTTP", R"({"url":"HTTPS://x","timeoutMs":1,"retries":0,"headers":{}})", {}},
      {"HTTP", R"({"url":"http://x","timeoutMs":600000,"retries":10,"extra":1})", {}},
  });
}

TEST(AgentConfig, bounds_time_retries_and_headers_of_a_webhook_D71) {
  const std::vector<std::string> both{"/config/retries", "/config/timeoutMs"};
  expect_config_faults({
      {"HTTP", R"({"url":"http://x","timeoutMs":600001,"retries":11})", both},
      {"HTTP", R"({"url":"http://x","timeoutMs":0,"retries":-1})", both},
      {"HTTP", R"({"url":"http://x","timeoutMs":"1","retries":1.5})", both},
      {"HTTP", R"({"url":"http://x","headers":[]})", {"/config/headers"}},
      {"HTTP", R"({"url":"http://x","headers":{"A":1}})", {"/config/headers/A"}},
      {"HTTP",
       R"({"url":"http://x","headers":{"A":")" + std::string(8'192, 'v') + R"("}})",
       {"/config/headers/A"}},
      {"HTTP", R"({"url":"http://x","headers":{"A":"b\nC: d"}})", {"/config/headers/A"}},
      {"HTTP", R"({"url":"http://x","headers":{"A":"b\u0000"}})", {"/config/headers/A"}},
      {"HTTP",
       R"({"url":"http://x","headers":{"A B":"c","":"d"}})",
       {"/config/headers/", "/config/headers/A B"}},
      {"HTTP",
       R"({"url":"http://x","headers":{"host":"a","CONTENT-LENGTH":"1","Connection":"close"}})",
       {"/config/headers/CONTENT-LENGTH", "/config/headers/Connection", "/config/headers/host"}},
      {"HTTP",
       R"({"url":"http://x","headers":{"Transfer-Encoding":"chunked","Idempotency-Key":"1"}})",
       {"/config/headers/Idempotency-Key", "/config/headers/Transfer-Encoding"}},
  });
}

TEST(AgentConfig, wants_url_and_model_of_a_model_endpoint_D70) {
  expect_config_faults({
      {"OPENAI", "{}", {"/config/model", "/config/url"}},
      {"OPENAI", R"({"url":"http://x/v1","model":"m"})", {}},
      {"OPENAI",
       R"({"url":"http://x/v1","model":"m","system":"s","parameters":{"temperature":0},"tools":[{}]})",
       {}},
      {"OPENAI",
       R"({"url":"http://x/v1","model":"","system":1,"parameters":[],"tools":{}})",
       {"/config/model", "/config/parameters", "/config/system", "/config/tools"}},
      {"OPENAI",
       R"({"url":"http://x/v1","model":"m","parameters":{"stream":true,"messages":[],"n":2}})",
       {"/config/parameters/messages", "/config/parameters/n", "/config/parameters/stream"}},
      {"OPENAI", R"({"url":"http://x/v1","model":"m","tools":[{},1]})", {"/config/tools/1"}},
  });
}

TEST(AgentConfig, wants_the_names_of_a_workflow_D72) {
  const std::vector<std::string> all{"/config/owner", "/config/ref", "/config/repo", "/config/workflow"};
  expect_config_faults({
      {"GITHUB", "{}", all},
      {"GITHUB", R"({"owner":"o","repo":"r.s","workflow":"a b.yml","ref":"main"})", {"/config/workflow"}},
      {"GITHUB", R"({"owner":"o","repo":"r.s","workflow":"ci.yml","ref":"feature/x"})", {}},
      {"GITHUB", R"({"owner":"o/p","repo":"..","workflow":"../x","ref":"a b"})", all},
      {"GITHUB", R"({"owner":"o?","repo":"r%2f","workflow":"..","ref":"a\n"})", all},
      {"GITHUB",
       R"({"owner":"o","repo":"r","workflow":"1","ref":"m","apiUrl":"https://g/api?x=1"})",
       {"/config/apiUrl"}},
      {"GITHUB", R"({"owner":"o","repo":"r","workflow":"1","ref":"m","apiUrl":""})", {"/config/apiUrl"}},
  });
}

TEST(AgentConfig, refuses_unknown_keys_only_where_strict_handling_is_asked_for_D5) {
  const std::string config = R"({"url":"http://x","colour":1})";
  EXPECT_EQ(config_faults("HTTP", config), std::vector<std::string>{});
  EXPECT_EQ(config_faults("HTTP", config, true), std::vector<std::string>{"/config/colour"});
}

TEST(AgentConfig, refuses_near_misses_always_D99) {
  EXPECT_EQ(config_faults("HTTP", R"({"url":"http://x","timeoutms":1})"),
            std::vector<std::string>{"/config/timeoutms"});
}

TEST(AgentConfig, gives_the_values_with_their_defaults_D71) {
  const auto read = http_config({R"({"url":"http://x/hook"})"});
  const auto& config = std::get<HttpConfig>(read);
  EXPECT_EQ(config.url, "http://x/hook");
  EXPECT_EQ(config.timeout_ms, 30'000);
  EXPECT_EQ(config.retries, 0);
  const auto hub = github_config({R"({"owner":"o","repo":"r","workflow":"ci.yml","ref":"main"})"});
  EXPECT_EQ(std::get<GithubConfig>(hub).api_url, "https://api.github.com");
  EXPECT_EQ(std::get<OpenAiConfig>(openai_config({R"({"url":"http://x/v1","model":"m"})"})).tools.text, "[]");
}

TEST(AgentConfig, answers_a_fault_for_a_config_that_was_never_checked) {
  EXPECT_EQ(testing::code_of(http_config({})), "invalid_config");
  EXPECT_EQ(testing::code_of(openai_config({R"({"url":"http://x"})"})), "invalid_config");
  EXPECT_EQ(testing::code_of(github_config({R"({"owner":"o"})"})), "invalid_config");
}

}  // namespace
}  // namespace parley::outbound
