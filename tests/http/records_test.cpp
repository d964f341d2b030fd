// The simple records: create, read, list and patch, and each fault of a body with its pointer.

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

/// One bad body: its path, its content and its faults.
struct BadBody {
  std::string method;
  std::string target;
  std::string body;
  std::vector<std::string> faults;
};

TEST(Records, name_every_fault_of_a_body_at_its_pointer_D3) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const std::string other = world.made("/scenarios", {{"name", "t"}});
  const std::string parent = world.made("/tests", {{"scenario", scenario}});
  const std::string variant = world.made("/tests", {{"scenario", scenario}, {"parentTest", parent}});
  const std::string folder = world.made("/folders", {{"name", "f"}});
  const std::string ghost = to_text(world.next_id());
  const std::string huge(1025, 'n');
  const std::vector<BadBody> rows{
      {"POST",
       "/scenarios",
       R"({"name":1,"description":[],"isArchived":"no"})",
       {"/description", "/isArchived", "/name"}},
      {"POST",
       "/scenarios",
       R"({"agents":["x",")" + ghost + R"("],"fields":[]})",
       {"/agents/0", "/agents/1", "/fields"}},
      {"POST", "/scenarios", R"({"folders":")" + ghost + R"("})", {"/folders"}},
      {"POST", "/scenarios", R"({"name":")" + huge + R"("})", {"/name"}},
      {"PATCH", "/scenarios/" + scenario, R"({"name":{}})", {"/name"}},
      {"POST", "/tests", "", {"/scenario"}},
      {"POST", "/tests", R"({"scenario":null,"isEnabled":0})", {"/isEnabled", "/scenario"}},
      {"POST",
       "/tests",
       R"({"scenario":")" + other + R"(","parentTest":")" + parent + R"("})",
       {"/parentTest"}},
      {"POST",
       "/tests",
       R"({"scenario":")" + scenario + R"(","parentTest":")" + variant + R"("})",
       {"/parentTest"}},
      {"POST", "/tests", R"({"scenario":")" + scenario + R"(","parentTest":"nope"})", {"/parentTest"}},
      {"POST",
       "/tests",
       R"({"scenario":")" + scenario + R"(","instruction":"if /(/ say: x"})",
       {"/instruction"}},
      {"POST",
       "/tests",
       R"({"scenario":")" + scenario + R"(","assertions":[{"type":"nope"},{"weight":101}]})",
       {"/assertions/0/type", "/assertions/1/criteria", "/assertions/1/weight"}},
      {"PATCH",
       "/tests/" + parent,
       R"({"assertions":[{"type":"contains","config":{}}]})",
       {"/assertions/0/config/value"}},
      {"POST", "/agents", R"({"type":"NOPE"})", {"/type"}},
      {"POST",
       "/agents",
       R"({"type":"HTTP","config":{"timeoutMs":0,"headers":{"a b":"x"}}})",
       {"/config/headers/a b", "/config/timeoutMs", "/config/url"}},
      {"POST", "/agents", R"({"type":"HTTP","config":{"url":"ftp://x"}})", {"/config/url"}},
      {"POST", "/agents", R"({"type":"HTTP","config":{"url":"http://u:p@x/"}})", {"/config/url"}},
      {"POST",
       "/agents",
       R"({"type":"HTTP","config":{"url":"http://x/","headers":{"A":"b\r\nC: d"}}})",
       {"/config/headers/A"}},
      {"POST", "/agents", R"({"type":"OPENAI"})", {"/config/model", "/config/url"}},
      {"POST",
       "/agents",
       R"({"type":"GITHUB"})",
       {"/config/owner", "/config/ref", "/config/repo", "/config/workflow"}},
      {"POST", "/agents", R"({"secrets":{"apiKey":1}})", {"/secrets/apiKey"}},
      {"POST",
       "/agents",
       R"({"type":"HTTP","config":{"url":"http://x"},"secrets":{"a":"b\n"}})",
       {"/secrets/a"}},
      {"POST", "/folders", R"({"parent":")" + ghost + R"("})", {"/parent"}},
      {"PATCH", "/folders/" + folder, R"({"parent":")" + folder + R"("})", {"/parent"}},
      {"POST", "/users", R"({"role":"king"})", {"/role"}},
      {"POST",
       "/api-keys",
       R"({"scopes":["read","fly"],"expiresAt":"tomorrow"})",
       {"/expiresAt", "/scopes/1"}},
      {"PUT", "/admin/scoring", "{}", {"/paused"}},
      {"POST",
       "/tests",
       R"({"scenario":")" + scenario +
           R"(","assertions":[5,{"type":7},{"criteria":5},{"type":"regex","config":5}]})",
       {"/assertions/0", "/assertions/1/type", "/assertions/2/criteria", "/assertions/3/config"}},
      {"POST", "/agents", R"({"type":"HTTP","config":5})", {"/config"}},
      {"POST", "/tags", R"({"isSmart":true,"rule":{}})", {"/rule/conditions"}},
      {"POST", "/tags", R"({"isSmart":true,"rule":{"conditions":[5]}})", {"/rule/conditions/0"}},
      {"POST", "/tags", R"({"isSmart":true,"rule":{"conditions":[]}})", {"/rule/conditions"}},
      {"POST", "/scheduled-runs", R"({"cron":5})", {"/agent", "/cron", "/scenario"}},
  };
  for (const BadBody& row : rows) {
    const Reading reading = world.call(row.method, row.target, row.body);
    EXPECT_EQ(reading.status, 400) << row.target << " " << row.body << reading.text;
    EXPECT_EQ(reading.faults(), row.faults) << row.target << " " << row.body;
  }
}

TEST(Bodies, must_be_one_json_object_D4_D5) {
  ApiWorld world;
  struct StrictBody {
    std::string body, type;
    int status;
  };
  const std::vector<StrictBody> rows{{"", "", 201},
                                     {"", "text/plain", 201},
                                     {"{}", "application/json; charset=utf-8", 201},
                                     {"{}", "application/vnd.x+json", 201},
                                     {"{}", "text/plain", 415},
                                     {"{}", "+json", 415},
                                     {"[]", "application/json", 400},
                                     {"null", "application/json", 400},
                                     {"{} x", "application/json", 400},
                                     {R"({"name":"a","name":"b"})", "application/json", 400},
                                     {"{\"name\":\"\xff\"}", "application/json", 400},
                                     {std::string("{}\0", 3), "application/json", 400},
                                     {R"({"name":null,"nobody":1})", "application/json", 201}};
  for (const StrictBody& row : rows) {
    EXPECT_EQ(world.call("POST", "/scenarios", row.body, {{"Content-Type", row.type}}).status, row.status)
        << row.body;
  }
}

TEST(Bodies, refuse_unknown_fields_with_strict_handling_D5) {
  ApiWorld world;
  const Headers strict{{"Prefer", "handling=strict"}};
  const Reading reading = world.post("/scenarios", {{"name", "s"}, {"nmae", "x"}}, strict);
  EXPECT_EQ(reading.status, 400);
  EXPECT_EQ(reading.faults(), std::vector<std::string>{"/nmae"});
  EXPECT_EQ(world.post("/scenarios", {{"name", "s"}, {"id", "x"}, {"createdBy", "x"}}, strict).status, 201);
}

TEST(Records, are_404_for_any_text_that_is_not_an_id_of_theirs_D4) {
  ApiWorld world;
  for (const std::string id : {"nope", "%2e%2e", "01890a5d-ac96-774b-bcce-b302099a8057"}) {
    for (const std::string collection :
         {"/scenarios/", "/tests/", "/agents/", "/runs/", "/test-results/", "/users/"}) {
      const Reading reading = world.get(collection + id);
      EXPECT_EQ(reading.status, 404) << collection << id;
      EXPECT_EQ(reading.slug(), "not-found");
      EXPECT_EQ(world.call("PATCH", collection + id, "{broken").status, 404)
          << "the path is checked before the body";
    }
  }
}

TEST(Records, answer_405_with_allow_and_204_to_options) {
  ApiWorld world;
  const Reading refused = world.call("DELETE", "/scenarios");
  EXPECT_EQ(refused.status, 405);
  EXPECT_EQ(refused.headers.at("Allow"), "POST, GET, HEAD, OPTIONS");
  EXPECT_EQ(refused.slug(), "method-not-allowed");
  const Reading options = world.call("OPTIONS", "/scenarios");
  EXPECT_EQ(options.status, 204);
  EXPECT_EQ(options.headers.at("Allow"), "POST, GET, HEAD, OPTIONS");
  EXPECT_EQ(world.get("/scenarios", {{"Accept", "text/html"}}).status, 406);
  EXPECT_EQ(world.get("/scenarios", {{"Accept", "text/html, */*;q=0.1"}}).status, 200);
}

TEST(Records, are_answered_as_the_closest_range_of_accept_says_D4) {
  ApiWorld world;
  const std::vector<std::pair<std::string, int>> rows{{"application/json;q=0, */*", 406},
                                                      {"*/*, application/json;q=0.0", 406},
                                                      {"application/*;q=0, */*", 406},
                                                      {"application/json, application/*;q=0", 200},
                                                      {"*/*;q=0, APPLICATION/JSON;q=0.1", 200},
                                                      {"application/json;q=0;x=1, */*", 406},
                                                      {"application/json;charset=utf-8;q=0", 406},
                                                      {"*/*;q=0", 406},
                                                      {"text/html;q=0, */*", 200},
                                                      {"application/json;q=0, application/json", 200}};
  for (const auto& [accept, status] : rows) {
    EXPECT_EQ(world.get("/scenarios", {{"Accept", accept}}).status, status) << accept;
  }
}

TEST(Lists, name_every_fault_of_the_query_sortBy_too_D3_D6) {
  ApiWorld world;
  for (const std::string path : {"/scenarios", "/runs", "/test-results", "/api-keys"}) {
    const Reading reading = world.get(path + "?limit=0&page=x&sortBy=nonsense");
    EXPECT_EQ(reading.status, 400) << path;
    EXPECT_EQ(reading.faults(), (std::vector<std::string>{"limit", "page", "sortBy"})) << path;
    EXPECT_EQ(world.get(path + "?sortBy=nonsense").faults(), std::vector<std::string>{"sortBy"}) << path;
  }
}

TEST(Records, show_what_was_written_with_links_as_objects_D8) {
  ApiWorld world;
  const std::string agent = world.made("/agents", {{"name", "bot"}, {"type", "EXTERNAL"}});
  const std::string folder = world.made("/folders", {{"name", "f"}});
  const Reading made = world.post("/scenarios/", {{"name", "s"}, {"agents", agent}, {"folders", {folder}}});
  ASSERT_EQ(made.status, 201);
  const Json scenario = made.json();
  EXPECT_EQ(scenario["agents"], Json({{{"id", agent}, {"name", "bot"}, {"type", "EXTERNAL"}}}));
  EXPECT_EQ(scenario["folders"], Json({{{"id", folder}, {"name", "f"}}}));
  EXPECT_EQ(scenario["createdBy"]["name"], "admin");
  EXPECT_EQ(made.headers.at("Location"), "/scenarios/" + scenario["id"].get<std::string>());
  EXPECT_EQ(made.headers.at("Cache-Control"), "no-store");
  EXPECT_EQ(made.headers.at("X-Content-Type-Options"), "nosniff");
  EXPECT_EQ(world.get(made.headers.at("Location")).json(), scenario);
}

TEST(Records, echo_a_request_id_that_is_one_D10) {
  ApiWorld world;
  EXPECT_EQ(world.get("/runs", {{"X-Request-Id", "abc"}}).headers.at("X-Request-Id"), "abc");
  const std::string made = world.get("/runs", {{"X-Request-Id", "a b"}}).headers.at("X-Request-Id");
  EXPECT_TRUE(!made.empty() && made.find(' ') == std::string::npos) << made;
  EXPECT_EQ(world.get("/nope", {{"X-Request-Id", "abc"}}).json()["instance"], "abc");
}

TEST(Records, change_only_what_a_patch_gives) {
  ApiWorld world;
  const Json before = world.post("/scenarios", {{"name", "s"}, {"description", "d"}}).json();
  const std::string path = "/scenarios/" + before["id"].get<std::string>();
  world.clock.advance(1000);
  const Json same = world.patch(path, {{"name", "s"}, {"description", nullptr}}).json();
  EXPECT_EQ(same, before) << "a patch without changes keeps updatedAt";
  const Json after = world.patch(path, {{"name", "new"}}).json();
  EXPECT_EQ(after["name"], "new");
  EXPECT_EQ(after["description"], "d");
  EXPECT_EQ(after["createdAt"], before["createdAt"]);
  EXPECT_EQ(after["updatedAt"], "2023-11-14T22:13:21.000Z");
  EXPECT_EQ(world.get(path).json(), after);
}

TEST(Records, have_entity_tags_that_guard_a_patch_D12) {
  ApiWorld world;
  const std::string path = "/scenarios/" + world.made("/scenarios", {{"name", "s"}});
  const std::string tag = world.get(path).headers.at("ETag");
  const Reading unchanged = world.get(path, {{"If-None-Match", tag}});
  EXPECT_EQ(unchanged.status, 304);
  EXPECT_EQ(unchanged.text, "");
  EXPECT_EQ(world.patch(path, {{"name", "t"}}, {{"If-Match", tag}}).status, 200);
  const Reading late = world.patch(path, {{"name", "u"}}, {{"If-Match", tag}});
  EXPECT_EQ(late.status, 412);
  EXPECT_EQ(world.get(path, {{"If-None-Match", tag}}).json()["name"], "t");
}

TEST(Agents, never_show_their_secrets_D23) {
  ApiWorld world;
  const Json agent =
      world.post("/agents", {{"name", "a"}, {"secrets", {{"apiKey", "canary-1"}, {"b", "canary-2"}}}}).json();
  EXPECT_EQ(agent["secrets"], Json({{"apiKey", "***"}, {"b", "***"}}));
  const std::string id = agent["id"];
  const Agent stored = world.stored<Agent>(id);
  EXPECT_EQ(stored.secrets.text.find("canary"), std::string::npos);
  const store::Secrets secrets(store::Key256{2});
  const auto opened = [&](const Agent& from, const std::string& name) {
    const auto plain =
        secrets.unseal(from.stamp.id, name, Json::parse(from.secrets.text)[name].get<std::string>());
    return plain.ok() ? plain.value() : "cannot be opened";
  };
  EXPECT_EQ(opened(stored, "apiKey"), "canary-1");

  const Json patched =
      world.patch("/agents/" + id, {{"secrets", {{"apiKey", "***"}, {"b", nullptr}, {"c", "x"}}}}).json();
  EXPECT_EQ(patched["secrets"], Json({{"apiKey", "***"}, {"c", "***"}}));
  EXPECT_EQ(opened(world.stored<Agent>(id), "apiKey"), "canary-1");
  EXPECT_EQ(opened(world.stored<Agent>(id), "c"), "x");
  EXPECT_FALSE(world.get("/agents?output=minimal").json()["data"][0].contains("secrets"));
}

TEST(Secrets, open_only_for_the_record_and_name_they_were_sealed_for) {
  const store::Secrets secrets(store::Key256{2});
  CountingIds ids;
  const Id record = ids.next(Time{1});
  const std::string sealed = secrets.seal(record, "apiKey", "plain");
  EXPECT_EQ(secrets.unseal(record, "apiKey", sealed).value(), "plain");
  EXPECT_FALSE(secrets.unseal(ids.next(Time{1}), "apiKey", sealed).ok());
  EXPECT_FALSE(secrets.unseal(record, "other", sealed).ok());
  EXPECT_FALSE(store::Secrets(store::Key256{3}).unseal(record, "apiKey", sealed).ok());
  for (std::size_t i = 0; i < sealed.size(); ++i) {
    std::string changed = sealed;
    changed[i] = changed[i] == 'A' ? 'B' : 'A';
    const auto opened = secrets.unseal(record, "apiKey", changed);
    // The last character has unused bits; every other change must be noticed.
    EXPECT_TRUE(!opened.ok() || i + 1 == sealed.size()) << i;
  }
  EXPECT_FALSE(secrets.unseal(record, "apiKey", "v1:").ok());
  EXPECT_EQ(secrets.unseal(record, "apiKey", secrets.seal(record, "apiKey", "")).value(), "");
}

TEST(Tests, name_assertions_that_have_no_id_D30) {
  ApiWorld world;
  const std::string scenario = world.made("/scenarios", {{"name", "s"}});
  const Json test =
      world
          .post("/tests", {{"scenario", scenario},
                           {"assertions", {{{"criteria", "polite"}}, {{"id", "mine"}, {"criteria", "x"}}}}})
          .json();
  EXPECT_TRUE(id_from_text(test["assertions"][0]["id"].get<std::string>()).has_value());
  EXPECT_EQ(test["assertions"][1]["id"], "mine");
  EXPECT_EQ(test["assertions"][0]["severity"], "BLOCKER");
}

TEST(Scenarios, without_a_folder_are_listed_for_their_creator_only_D21) {
  ApiWorld world;
  const std::string folder = world.made("/folders", {{"name", "f"}});
  const std::string filed = world.made("/scenarios", {{"name", "filed"}, {"folders", {folder}}});
  const std::string unfiled = world.made("/scenarios", {{"name", "unfiled"}});
  EXPECT_EQ(world.get("/scenarios").json()["total"], 2);
  const std::string user = world.made("/users", {{"name", "m"}});
  world.key = world.post("/api-keys", {{"user", user}}).json()["key"].get<std::string>();
  const Json listed = world.get("/scenarios").json();
  ASSERT_EQ(listed["total"], 1);
  EXPECT_EQ(listed["data"][0]["id"], filed);
  EXPECT_EQ(world.get("/scenarios/" + unfiled).status, 200) << "any user with the id may read it";
}

TEST(Lists, sort_page_filter_and_count_D6) {
  ApiWorld world;
  for (const char* name : {"b", "a", "c", "a"}) {
    world.clock.advance(1);
    (void)world.made("/personalities", {{"name", name}, {"description", "long"}});
  }
  const auto names = [&](const std::string& query) {
    std::string all;
    const Json page = world.get("/personalities" + query).json();
    for (const Json& row : page["data"]) all += row["name"].get<std::string>();
    return all;
  };
  EXPECT_EQ(names(""), "acab") << "newest first";
  EXPECT_EQ(names("?sortOrder=asc"), "baca");
  EXPECT_EQ(names("?sortBy=name&sortOrder=asc"), "aabc");
  EXPECT_EQ(names("?sortBy=name&limit=3&page=2"), "a");
  EXPECT_EQ(names("?name=a"), "aa");
  EXPECT_EQ(names("?name=A"), "") << "a part of the name, in the same case (D24)";
  EXPECT_EQ(names("?page=9223372036854775807"), "");
  const Reading page = world.get("/personalities?limit=2&page=2&sortBy=updatedAt");
  EXPECT_EQ(page.json()["total"], 4);
  EXPECT_EQ(page.json()["page"], 2);
  EXPECT_EQ(page.json()["limit"], 2);
  EXPECT_NE(page.headers.at("Link").find("rel=\"prev\""), std::string::npos);
  for (const char* field : {"nope", "stamp", "agents", "hash"}) {
    EXPECT_EQ(world.get("/personalities?sortBy=" + std::string(field)).faults(),
              std::vector<std::string>{"sortBy"});
  }
  EXPECT_EQ(world.get("/scenarios?folder=x&createdBy=y").faults(),
            (std::vector<std::string>{"createdBy", "folder"}));
}

TEST(Lists, break_ties_by_id_in_the_direction_of_the_sort_I54) {
  ApiWorld world;
  std::vector<std::string> made;
  for (int i = 0; i < 4; ++i) made.push_back(world.made("/run-groups", {{"name", "same"}}));
  const auto ids = [&](const std::string& order) {
    std::vector<std::string> all;
    const Json page = world.get("/run-groups?sortBy=name&sortOrder=" + order).json();
    for (const Json& row : page["data"]) all.push_back(row["id"]);
    return all;
  };
  EXPECT_EQ(ids("asc"), made);
  EXPECT_EQ(ids("desc"), std::vector<std::string>(made.rbegin(), made.rend()));
}

TEST(Lists, show_archived_records_on_request_only_I55) {
  ApiWorld world;
  const std::string id = world.made("/folders", {{"name", "old"}});
  (void)world.made("/folders", {{"name", "new"}});
  EXPECT_EQ(world.patch("/folders/" + id, {{"isArchived", true}}).status, 200);
  EXPECT_EQ(world.get("/folders").json()["total"], 1);
  const Json archived = world.get("/folders?archived=true").json();
  ASSERT_EQ(archived["total"], 1);
  EXPECT_EQ(archived["data"][0]["id"], id);
}

TEST(Folders, never_form_a_cycle) {
  ApiWorld world;
  const std::string a = world.made("/folders", {{"name", "a"}});
  const std::string b = world.made("/folders", {{"name", "b"}, {"parent", a}});
  const std::string c = world.made("/folders", {{"name", "c"}, {"parent", b}});
  EXPECT_EQ(world.patch("/folders/" + a, {{"parent", c}}).faults(), std::vector<std::string>{"/parent"});
  EXPECT_EQ(world.patch("/folders/" + c, {{"parent", a}}).status, 200);
}

TEST(Folders, are_never_nested_deeper_than_64) {
  ApiWorld world;
  std::string lowest = world.made("/folders", {{"name", "1"}});
  for (int depth = 2; depth <= 64; ++depth) {
    lowest = world.made("/folders", {{"name", std::to_string(depth)}, {"parent", lowest}});
  }
  EXPECT_EQ(world.post("/folders", {{"name", "65"}, {"parent", lowest}}).faults(),
            std::vector<std::string>{"/parent"});
  const std::string other = world.made("/folders", {{"name", "other"}});
  EXPECT_EQ(world.patch("/folders/" + other, {{"parent", lowest}}).faults(),
            std::vector<std::string>{"/parent"});
}

}  // namespace
}  // namespace parley::http
