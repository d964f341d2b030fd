#include "http/auth/sessions.hpp"

#include <gtest/gtest.h>

#include "http/auth/rate_limiter.hpp"
#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

constexpr std::int64_t hour_ms = 3'600'000;
const std::string signed_in_host = "parley.test:7410";

/// The browser's side of a session: what it sends with each call.
struct Browser {
  std::string cookie;
  std::string page;

  [[nodiscard]] Headers sends(const Headers& more = {}) const {
    Headers all{{"Host", signed_in_host}, {"Cookie", "theme=dark; " + cookie}, {"X-Parley-Page", page}};
    all.insert(all.end(), more.begin(), more.end());
    return all;
  }
  /// The headers with which a page of the server sends a write.
  [[nodiscard]] Headers writes() const { return sends({{"Origin", "http://" + signed_in_host}}); }
};

class Signing : public ::testing::Test {
 protected:
  Reading sign_in(const Json& body, const Headers& headers = {}) {
    world.key = "";
    return world.call("POST", "/session", body.dump(), headers);
  }
  Browser browser_of(const Reading& signed_in) {
    const std::string field = signed_in.headers.at("Set-Cookie");
    return {field.substr(0, field.find(';')), signed_in.json().at("page").get<std::string>()};
  }
  Browser signed_in() { return browser_of(sign_in({{"key", world.admin_key}})); }
  /// Creates a user with a key, and returns the text of the key.
  std::string key_of(const std::string& role) {
    world.key.reset();
    const std::string user = world.made("/users", {{"name", role}, {"role", role}});
    const Reading made = world.post("/api-keys", {{"name", role}, {"user", user}});
    return made.json().at("key").get<std::string>();
  }

  ApiWorld world;
};

TEST_F(Signing, gives_two_halves_that_open_together) {
  const Reading reading = sign_in({{"key", world.admin_key}});
  EXPECT_EQ(reading.status, 200) << reading.text;
  EXPECT_EQ(reading.json().at("right"), "admin");
  EXPECT_EQ(reading.json().at("user").at("role"), "admin");
  const std::string field = reading.headers.at("Set-Cookie");
  EXPECT_TRUE(field.starts_with("parley_")) << field;
  EXPECT_NE(field.find("; Path=/; Max-Age=604800; HttpOnly; SameSite=Strict"), std::string::npos) << field;
  EXPECT_EQ(reading.text.find(field.substr(16, 40)), std::string::npos) << "no script reads the cookie";
  const Reading asked = world.get("/session", browser_of(reading).sends());
  EXPECT_EQ(asked.status, 200);
  EXPECT_FALSE(asked.json().contains("page"));
}

TEST_F(Signing, one_half_alone_is_treated_as_no_key_I69) {
  const Browser browser = signed_in();
  const Browser other = signed_in();
  const Headers id{{"X-Request-Id", "r1"}};
  const std::string refused = world.get("/runs", id).text;
  for (const Headers& headers :
       {Headers{{"Cookie", browser.cookie}}, Headers{{"X-Parley-Page", browser.page}},
        Browser{browser.cookie, other.page}.sends(), Browser{other.cookie, browser.page}.sends(),
        Browser{browser.cookie + "x", browser.page}.sends(),
        Browser{"parley_00000000=x", browser.page}.sends()}) {
    Headers sent = headers;
    sent.insert(sent.end(), id.begin(), id.end());
    const Reading reading = world.get("/runs", sent);
    EXPECT_EQ(reading.status, 401);
    EXPECT_EQ(reading.text, refused);
  }
  EXPECT_EQ(world.get("/runs", browser.sends()).status, 200);
}

TEST_F(Signing, finds_its_cookie_among_those_that_another_port_has_set) {
  const Browser browser = signed_in();
  const std::string name = browser.cookie.substr(0, browser.cookie.find('='));
  const Browser crowded{name + "=planted; " + browser.cookie, browser.page};
  EXPECT_EQ(world.get("/runs", crowded.sends()).status, 200);
}

TEST_F(Signing, a_session_writes_only_from_a_page_of_the_server) {
  const Browser browser = signed_in();
  const std::string body = R"({"name": "f"})";
  const std::vector<std::pair<Headers, int>> cases{
      {{}, 403},
      {{{"Origin", "http://parley.test:8000"}}, 403},
      {{{"Origin", "null"}}, 403},
      {{{"Origin", "http://" + signed_in_host}, {"Sec-Fetch-Site", "cross-site"}}, 403},
      {{{"Origin", "http://" + signed_in_host}, {"Sec-Fetch-Site", "same-origin"}}, 201},
      {{{"Origin", "https://" + signed_in_host}}, 201},
  };
  for (const auto& [headers, status] : cases) {
    const Reading reading = world.call("POST", "/folders", body, browser.sends(headers));
    EXPECT_EQ(reading.status, status) << reading.text;
  }
  world.key.reset();
  EXPECT_EQ(world.call("POST", "/folders", body, {{"Origin", "http://elsewhere.test"}}).status, 201)
      << "a key is sent by its owner alone";
}

TEST_F(Signing, takes_no_sign_in_from_a_page_of_another_origin) {
  EXPECT_EQ(
      sign_in({{"key", world.admin_key}}, {{"Host", signed_in_host}, {"Origin", "http://evil.test"}}).status,
      403);
  EXPECT_EQ(
      sign_in({{"key", world.admin_key}}, {{"Host", signed_in_host}, {"Origin", "http://" + signed_in_host}})
          .status,
      200);
}

TEST_F(Signing, ends_after_twelve_idle_hours_and_after_seven_days) {
  const Browser idle = signed_in();
  const Browser busy = signed_in();
  for (int hour = 0; hour < 7 * 24; hour += 11) {
    EXPECT_EQ(world.get("/runs", busy.sends()).status, 200) << hour;
    world.clock.advance(11 * hour_ms);
  }
  EXPECT_EQ(world.get("/runs", busy.sends()).status, 401) << "seven days";
  EXPECT_EQ(world.get("/runs", idle.sends()).status, 401) << "twelve hours";
}

TEST_F(Signing, ends_with_sign_out_with_its_key_and_with_its_user) {
  const Browser browser = signed_in();
  const Reading out = world.call("DELETE", "/session", "", browser.writes());
  EXPECT_EQ(out.status, 204);
  EXPECT_NE(out.headers.at("Set-Cookie").find("Max-Age=0"), std::string::npos);
  EXPECT_EQ(world.get("/runs", browser.sends()).status, 401);

  const std::string key = key_of("member");
  const Browser member = browser_of(sign_in({{"key", key}}));
  world.key.reset();
  const std::string id = world.get("/api-keys?name=member").json().at("data").at(0).at("id");
  EXPECT_EQ(world.call("DELETE", "/api-keys/" + id).status, 204);
  world.key = "";
  EXPECT_EQ(world.get("/runs", member.sends()).status, 401);
  EXPECT_EQ(sign_in({{"key", key}}).status, 401);
}

TEST_F(Signing, a_code_opens_once_and_for_a_minute) {
  world.key.reset();
  const auto code = [&] { return world.post("/session/codes").json().at("code").get<std::string>(); };
  const std::string first = code();
  const std::string late = code();
  EXPECT_EQ(sign_in({{"code", first}}).status, 200);
  EXPECT_EQ(sign_in({{"code", first}}).status, 401) << "once";
  world.clock.advance(60'000);
  EXPECT_EQ(sign_in({{"code", late}}).status, 401) << "a minute";
  EXPECT_EQ(world.call("POST", "/session/codes", "", signed_in().writes()).status, 403) << "by key alone";
}

TEST_F(Signing, a_code_used_twice_concurrently_opens_once) {
  world.key.reset();
  const std::string code = world.post("/session/codes").json().at("code");
  int meanwhile = 0;
  world.gateway->between = [&] { meanwhile = sign_in({{"code", code}}).status; };
  EXPECT_EQ(sign_in({{"code", code}}).status, 401);
  EXPECT_EQ(meanwhile, 200);
}

TEST_F(Signing, needs_either_a_key_or_a_code) {
  EXPECT_EQ(sign_in(Json::object()).status, 400);
  EXPECT_EQ(sign_in({{"key", "a"}, {"code", "b"}}).status, 400);
  EXPECT_EQ(sign_in({{"key", 7}}).status, 400);
}

TEST_F(Signing, five_failures_a_minute_are_enough) {
  for (int i = 0; i < 5; ++i) EXPECT_EQ(sign_in({{"key", "parley_wrong" + std::to_string(i)}}).status, 401);
  const Reading limited = sign_in({{"key", world.admin_key}});
  EXPECT_EQ(limited.status, 429);
  EXPECT_EQ(limited.headers.at("Retry-After"), "12");
  world.clock.advance(12'000);
  EXPECT_EQ(sign_in({{"key", world.admin_key}}).status, 200);
}

TEST_F(Signing, only_an_admin_can_end_the_sessions_of_others) {
  const std::string key = key_of("member");
  const Browser admin = signed_in();
  const Browser member = browser_of(sign_in({{"key", key}}));
  const std::string users = world.get("/users?name=member", admin.sends()).text;
  const std::string user = Json::parse(users).at("data").at(0).at("id");
  const std::string own = world.get("/session", admin.sends()).json().at("user").at("id");
  EXPECT_EQ(world.call("DELETE", "/sessions?user=" + own, "", member.writes()).status, 403);
  EXPECT_EQ(world.call("DELETE", "/sessions?user=" + user, "", admin.writes()).status, 204);
  EXPECT_EQ(world.get("/session", member.sends()).status, 401);
  EXPECT_EQ(world.get("/session", admin.sends()).status, 200);
  EXPECT_EQ(world.call("DELETE", "/sessions", "", admin.writes()).status, 204) << "the caller's own";
  EXPECT_EQ(world.get("/session", admin.sends()).status, 401);
}

TEST_F(Signing, reports_the_right_of_a_key) {
  world.key.reset();
  EXPECT_EQ(world.get("/session").json().at("right"), "admin");
  EXPECT_EQ(world.call("DELETE", "/session").status, 204) << "there is nothing to end";
  EXPECT_EQ(world.get("/session").status, 200);
}

TEST(SessionCookie, is_bound_to_https_where_the_public_url_is) {
  const Keys keys(store::Key256{7});
  EXPECT_TRUE(Sessions(keys, "https://parley.example/p").set_cookie("v").starts_with("__Host-parley_"));
  EXPECT_TRUE(Sessions(keys, "https://parley.example").set_cookie("v").ends_with("; Secure"));
  EXPECT_EQ(Sessions(keys, "http://parley.example").set_cookie("v").find("Secure"), std::string::npos);
  EXPECT_NE(Sessions(keys, "").set_cookie("v").substr(0, 15),
            Sessions(Keys(store::Key256{8}), "").set_cookie("v").substr(0, 15))
      << "servers on one host keep theirs apart";
}

TEST(SignInLimiter, counts_the_network_of_an_IPv6_address) {
  SignInLimiter limiter;
  store::Address first{0x20, 0x01, 0x0d, 0xb8};
  store::Address neighbour = first;
  neighbour.back() = 9;
  const Time now{1'000'000};
  for (int i = 0; i < 5; ++i) limiter.note_failure(first, now);
  EXPECT_EQ(limiter.wait_s(neighbour, now), 12);
  EXPECT_EQ(limiter.wait_s(store::Address{0x20, 0x02}, now), 0);
  EXPECT_EQ(limiter.wait_s(first, Time{now.ms - 10 * 60'000}), 12) << "a clock that is set back";
}

}  // namespace
}  // namespace parley::http
