#include "http/exchange/cors.hpp"

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

const Headers preflight{{"Origin", "https://app.example"},
                        {"Access-Control-Request-Method", "PATCH"},
                        {"Access-Control-Request-Headers", "authorization,content-type"}};

ApiOptions with_origins(std::vector<std::string> origins) {
  ApiOptions options;
  options.cors_origins = std::move(origins);
  return options;
}

TEST(Cors, is_off_by_default) {
  ApiWorld world;
  const Reading reading = world.get("/runs", {{"Origin", "https://app.example"}});
  EXPECT_EQ(reading.status, 200);
  EXPECT_EQ(reading.headers.count("Access-Control-Allow-Origin"), 0u);
  EXPECT_EQ(reading.headers.at("Vary"), "Accept-Encoding");
  world.key = "";
  EXPECT_EQ(world.call("OPTIONS", "/runs", "", preflight).status, 401)
      << "a preflight is an ordinary request then";
}

TEST(Cors, lets_listed_origins_read_answers_and_no_others) {
  ApiWorld world(with_origins({"https://app.example", "http://localhost:3000"}));
  const std::vector<std::pair<std::string, bool>> rows{
      {"https://app.example", true},       {"http://localhost:3000", true},     {"http://app.example", false},
      {"https://app.example:8443", false}, {"https://app.example.evil", false}, {"null", false}};
  for (const auto& [origin, is_allowed] : rows) {
    const Reading reading = world.get("/runs", {{"Origin", origin}});
    EXPECT_EQ(reading.status, 200) << "the browser refuses, not the server";
    const auto told = reading.headers.find("Access-Control-Allow-Origin");
    EXPECT_EQ(told == reading.headers.end() ? "" : told->second, is_allowed ? origin : "") << origin;
    EXPECT_EQ(reading.headers.at("Vary"), "Accept-Encoding, Origin") << origin;
    EXPECT_EQ(reading.headers.count("Access-Control-Allow-Credentials"), 0u);
  }
  EXPECT_EQ(world.get("/runs").headers.at("Vary"), "Accept-Encoding, Origin")
      << "caches must know without an origin too";
}

TEST(Cors, shows_the_fields_that_a_client_needs_on_problems_too) {
  ApiWorld world(with_origins({"*"}));
  world.key = "";
  const Reading reading = world.get("/runs", {{"Origin", "https://any.example"}});
  EXPECT_EQ(reading.status, 401);
  EXPECT_EQ(reading.headers.at("Access-Control-Allow-Origin"), "*");
  for (const char* name : {"ETag", "Location", "Link", "Retry-After", "X-Request-Id"}) {
    EXPECT_NE(reading.headers.at("Access-Control-Expose-Headers").find(name), std::string::npos) << name;
  }
}

TEST(Cors, answers_the_preflight_without_a_key) {
  ApiWorld world(with_origins({"https://app.example"}));
  world.key = "";
  const Reading reading = world.call("OPTIONS", "/runs/x", "", preflight);
  EXPECT_EQ(reading.status, 204);
  EXPECT_EQ(reading.headers.at("Access-Control-Allow-Origin"), "https://app.example");
  EXPECT_EQ(reading.headers.at("Access-Control-Allow-Methods"), "GET, HEAD, PATCH, DELETE, OPTIONS");
  for (const char* name : {"Authorization", "Content-Type", "Idempotency-Key", "If-Match", "Prefer"}) {
    EXPECT_NE(reading.headers.at("Access-Control-Allow-Headers").find(name), std::string::npos) << name;
  }
  EXPECT_EQ(world.call("OPTIONS", "/nope", "", preflight).status, 401) << "I69: unknown paths reveal nothing";
  Headers other = preflight;
  other.front().second = "https://other.example";
  EXPECT_EQ(world.call("OPTIONS", "/runs/x", "", other).status, 401);
}

TEST(Cors, takes_origins_as_browsers_send_them) {
  for (const char* good : {"*", "https://app.example", "http://localhost:3000", "http://[::1]:8080"}) {
    EXPECT_EQ(fault_of_origin(good), "") << good;
  }
  for (const char* bad : {"", "app.example", "https://", "https://app.example/", "https://App.example",
                          "ftp://x", "https://*.example", "https://a b"}) {
    EXPECT_NE(fault_of_origin(bad), "") << bad;
  }
}

}  // namespace
}  // namespace parley::http
