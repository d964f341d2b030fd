// Conditions of requests that do not change a record (RFC 9110 section 13), byte order marks in bodies, and how
// refusals by the transport are counted and answered.

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Conditions, of_a_read_that_do_not_hold_are_412) {
  ApiWorld world;
  const std::string path = "/folders/" + world.made("/folders", {{"name", "f"}});
  const std::string tag = world.get(path).headers.at("ETag");
  EXPECT_EQ(world.get(path, {{"If-Match", tag}}).status, 200);
  EXPECT_EQ(world.get(path, {{"If-Match", "\"other\", " + tag}}).status, 200);
  EXPECT_EQ(world.get(path, {{"If-Match", "*"}}).status, 200);
  EXPECT_EQ(world.get(path, {{"If-Match", "\"other\""}}).status, 412);
  EXPECT_EQ(world.get(path, {{"If-Match", tag}, {"If-None-Match", tag}}).status, 304);
  EXPECT_EQ(world.get("/folders/nope", {{"If-Match", "\"other\""}}).status, 404);
}

TEST(Conditions, of_a_change_that_do_not_hold_are_412) {
  ApiWorld world;
  const std::string path = "/folders/" + world.made("/folders", {{"name", "f"}});
  EXPECT_EQ(world.patch(path, {{"name", "g"}}, {{"If-None-Match", "*"}}).status, 412);
  EXPECT_EQ(world.get(path).json()["name"], "f");
  EXPECT_EQ(world.patch("/folders/nope", {{"name", "g"}}, {{"If-None-Match", "*"}}).status, 404);
  EXPECT_EQ(world.post("/folders", {{"name", "g"}}, {{"If-Match", "\"x\""}}).status, 412);
  EXPECT_EQ(world.post("/folders", {{"name", "g"}}, {{"If-Match", "*"}}).status, 201);
  EXPECT_EQ(world.get("/folders").json()["total"], 2);
}

TEST(Body, may_begin_with_a_byte_order_mark) {
  ApiWorld world;
  EXPECT_EQ(world.call("POST", "/folders", "\xEF\xBB\xBF{\"name\": \"f\"}").status, 201);
  EXPECT_EQ(world.call("POST", "/folders", "{\"name\": \"\xEF\xBB\xBF\"} \xEF\xBB\xBF").status, 400);
}

TEST(Refusals, are_counted_once_with_the_status_that_was_sent) {
  ApiWorld world;
  {
    const Response refused = world.api->render_fault(framing_fault(ProblemKind::invalid_host, "x"));
    EXPECT_EQ(refused.status, 400);
    refused.report->sent(503);  // the transport had no capacity for it
    refused.report->sent(503);
  }
  { const Response never_sent = world.api->render_fault(framing_fault(ProblemKind::invalid_host, "x")); }
  const std::string text = world.get("/metrics").text;
  EXPECT_NE(text.find("parley_http_requests_total{method=\"-\",route=\"-\",status=\"5xx\"} 1\n"),
            std::string::npos)
      << text;
  EXPECT_EQ(text.find("parley_http_requests_total{method=\"-\",route=\"-\",status=\"4xx\"} 1\n"),
            std::string::npos);
}

TEST(Refusals, can_be_read_by_the_pages_that_may_call) {
  ApiOptions options;
  options.cors_origins = {"https://page.example"};
  ApiWorld world(options);
  FramingFault fault = framing_fault(ProblemKind::invalid_host, "x");
  const auto field = [&](std::string_view name) {
    const Response response = world.api->render_fault(fault);
    for (const auto& [key, value] : response.fields) {
      if (key == name) return value;
    }
    return std::string();
  };
  EXPECT_EQ(field("Access-Control-Allow-Origin"), "");
  fault.origin = "https://page.example";
  EXPECT_EQ(field("Access-Control-Allow-Origin"), "https://page.example");
  EXPECT_EQ(field("Vary"), "Origin");
  fault.origin = "https://elsewhere.example";
  EXPECT_EQ(field("Access-Control-Allow-Origin"), "");
}

TEST(Preauthorization, refuses_the_body_of_a_key_without_the_right) {
  ApiWorld world;
  const std::string user = world.made("/users", {{"name", "v"}, {"role", "viewer"}});
  const std::string key =
      world.post("/api-keys", {{"name", "k"}, {"user", user}, {"scopes", {"read"}}}).json()["key"];
  Request head;
  head.method = "POST";
  head.target = head.path = "/folders";
  const std::string bearer = "Bearer " + key;
  head.fields = {{"Authorization", bearer}};
  EXPECT_EQ(world.api->preauthorize(head), BodyUse::refuse);
  head.is_refused = true;
  const auto kept = std::make_shared<KeptAnswer>();
  world.api->handle(head, Responder(kept, 1, 1));
  EXPECT_EQ(ApiWorld::read(*kept).status, 403);
}

}  // namespace
}  // namespace parley::http
