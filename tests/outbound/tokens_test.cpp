// OAuth 2 tokens for calls with a grant (RFC 6749 4.4).

#include "outbound/client/tokens.hpp"

#include "tests/outbound/agent_values.hpp"

namespace parley::outbound {
namespace {

using testing::answer_of;
using testing::value_of;

const TokenGrant grant{"http://id/token", "my client", "s3cret/1", "a b"};

HttpAnswer token_answer(std::string token, int life_s = 3'600) {
  return answer_of(R"({"access_token":")" + token + R"(","token_type":"Bearer","expires_in":)" +
                   std::to_string(life_s) + "}");
}

TEST(Tokens, asks_once_for_all_calls_of_a_grant) {
  Tokens tokens;
  EXPECT_FALSE(tokens.find(grant, 0));
  EXPECT_TRUE(tokens.wait(grant, 1));
  EXPECT_FALSE(tokens.wait(grant, 2));
  TokenGrant other = grant;
  other.scope = "c";
  EXPECT_TRUE(tokens.wait(other, 3));
  const HttpRequest request = tokens.request(grant);
  EXPECT_EQ(request.url, "http://id/token");
  EXPECT_EQ(request.body, "grant_type=client_credentials&scope=a%20b");
  EXPECT_EQ(*value_of(request, "Authorization"), "Basic bXklMjBjbGllbnQ6czNjcmV0JTJGMQ==");
  EXPECT_EQ(*value_of(request, "Content-Type"), "application/x-www-form-urlencoded");
  const auto taken = tokens.take(grant, token_answer("t1"), 1'000);
  EXPECT_EQ(taken.taken, Tokens::Taken::token);
  EXPECT_EQ(taken.waiting, (std::vector<CallId>{1, 2}));
  EXPECT_EQ(tokens.find(grant, 1'000), "t1");
  EXPECT_EQ(tokens.find(grant, 1'000 + 3'570'000 - 1), "t1");
  EXPECT_FALSE(tokens.find(grant, 1'000 + 3'570'000)) << "renewed before it expires";
}

TEST(Tokens, sends_the_credentials_in_the_body_where_basic_is_refused) {
  Tokens tokens;
  EXPECT_TRUE(tokens.wait(grant, 1));
  EXPECT_EQ(tokens.take(grant, answer_of("{}", 401), 0).taken, Tokens::Taken::again);
  const HttpRequest request = tokens.request(grant);
  EXPECT_EQ(request.body,
            "grant_type=client_credentials&scope=a%20b&client_id=my%20client&client_secret=s3cret%2F1");
  EXPECT_FALSE(value_of(request, "Authorization"));
  EXPECT_EQ(tokens.take(grant, token_answer("t"), 0).waiting, (std::vector<CallId>{1}));
  EXPECT_EQ(tokens.request(grant).body, request.body) << "and remembers it";
}

TEST(Tokens, reports_a_refusal_without_the_secret) {
  Tokens tokens;
  EXPECT_TRUE(tokens.wait(grant, 1));
  EXPECT_EQ(tokens.take(grant, answer_of("no", 400), 0).taken, Tokens::Taken::again);
  const auto taken = tokens.take(grant, answer_of(R"({"error":"invalid s3cret/1"})", 400), 0);
  EXPECT_EQ(taken.taken, Tokens::Taken::nothing);
  EXPECT_EQ(taken.failure,
            (Failure{FailureKind::no_token,
                     "no token for the call: The token endpoint answered 400: invalid ***", false}));
  EXPECT_EQ(taken.waiting, (std::vector<CallId>{1}));
  EXPECT_TRUE(tokens.wait(grant, 2)) << "the next call asks again";
}

TEST(Tokens, passes_a_failure_on) {
  Tokens tokens;
  EXPECT_TRUE(tokens.wait(grant, 1));
  const auto taken = tokens.take(grant, Failure{FailureKind::connect, "could not connect to id", false}, 0);
  EXPECT_EQ(taken.failure.kind, FailureKind::connect);
  EXPECT_EQ(taken.failure.detail, "no token for the call: could not connect to id");
  EXPECT_TRUE(tokens.wait(grant, 2));
  const Failure stopped{FailureKind::canceled, "the call was canceled", false};
  EXPECT_EQ(tokens.take(grant, stopped, 0).failure, stopped);
}

TEST(Tokens, takes_nothing_but_a_token) {
  for (const char* body :
       {"", "[]", "{}", R"({"access_token":""})", R"({"access_token":1})", "{\"access_token\":\"a\\nb\"}"}) {
    Tokens tokens;
    EXPECT_TRUE(tokens.wait(grant, 1));
    const auto taken = tokens.take(grant, answer_of(body), 0);
    EXPECT_EQ(taken.taken, Tokens::Taken::nothing) << body;
    EXPECT_EQ(taken.failure.kind, FailureKind::no_token) << body;
  }
}

TEST(Tokens, forgets_a_token_that_was_refused_and_a_call_that_ended) {
  Tokens tokens;
  EXPECT_TRUE(tokens.wait(grant, 1));
  EXPECT_FALSE(tokens.wait(grant, 2));
  tokens.forget(grant, 1);
  EXPECT_EQ(tokens.take(grant, token_answer("t"), 0).waiting, (std::vector<CallId>{2}));
  tokens.drop(grant, "older");
  EXPECT_EQ(tokens.find(grant, 0), "t");
  tokens.drop(grant, "t");
  EXPECT_FALSE(tokens.find(grant, 0));
}

TEST(Tokens, uses_a_default_lifetime_if_none_is_given) {
  Tokens tokens;
  EXPECT_TRUE(tokens.wait(grant, 1));
  EXPECT_EQ(tokens.take(grant, answer_of(R"({"access_token":"t"})"), 0).taken, Tokens::Taken::token);
  EXPECT_EQ(tokens.find(grant, 269'000), "t");
  EXPECT_FALSE(tokens.find(grant, 271'000));
  EXPECT_EQ(tokens.take(grant, token_answer("u", 0), 0).taken, Tokens::Taken::token);
  EXPECT_EQ(tokens.find(grant, 999), "u") << "one that is used up at once is good for the calls that waited";
}

}  // namespace
}  // namespace parley::outbound
