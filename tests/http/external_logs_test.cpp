// External conversation logs (D20, D24, D55): what is stored, what is refused, smart tags, filters, and which
// agents may replay them.

#include <gtest/gtest.h>

#include "store/engine/value.hpp"
#include "store/views/recount.hpp"
#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

constexpr const char* logs = "/external-conversation-logs/";

Json log_of(const std::string& external_id) {
  return {{"externalId", external_id},
          {"conversation", {{{"role", "user"}, {"content", "Where is my order?"}}}}};
}

TEST(ExternalLogs, keep_every_message_with_an_id_of_the_server_D24) {
  ApiWorld world;
  const std::string body =
      R"({"externalId":"x1","metadata":{"n":1.0,"big":18446744073709551616},"conversation":[
    {"content":"hi","role":"user","createdAt":"2026-01-31T12:00:00Z"},
    {"content":"hello","metadata":{"cost":-0}},
    {"type":"tool","name":"find","metadata":{"arguments":{"a":[1,{"b":null}]}}},
    {"role":"assistant","content":""},{"role":"tester","content":"bye","id":"mine"}]})";
  const Reading made = world.call("POST", logs, body);
  ASSERT_EQ(made.status, 201) << made.text;
  const Json log = made.json();
  EXPECT_EQ(made.headers.at("Location"), "/external-conversation-logs/" + log["id"].get<std::string>());
  std::vector<std::string> roles;
  std::vector<int> turns;
  std::set<std::string> ids;
  for (const Json& entry : log["conversation"]) {
    roles.push_back(entry["role"]);
    turns.push_back(entry["turn"]);
    ids.insert(entry["id"]);
  }
  EXPECT_EQ(roles, (std::vector<std::string>{"tester", "chatbot", "chatbot", "chatbot", "tester"}));
  EXPECT_EQ(turns, (std::vector<int>{0, 0, 0, 0, 1}));
  EXPECT_EQ(ids.size(), 5u);
  EXPECT_FALSE(ids.contains("mine"));
  EXPECT_EQ(log["conversation"][0]["createdAt"], "2026-01-31T12:00:00.000Z");
  EXPECT_NE(made.text.find(R"({"n":1.0,"big":18446744073709551616})"), std::string::npos) << made.text;
  EXPECT_NE(made.text.find(R"("metadata":{"cost":-0})"), std::string::npos) << made.text;
  EXPECT_EQ(log["timestamp"], log["createdAt"]);
  EXPECT_EQ(world.get(logs + log["id"].get<std::string>()).text, made.text);
}

TEST(ExternalLogs, name_every_fault_at_its_pointer_D3) {
  ApiWorld world;
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  const auto talk = [](const Json& message) {
    return Json{{"externalId", "a"}, {"conversation", {message}}};
  };
  const std::string at = "/conversation/0";
  const std::vector<Row> rows{
      {Json::object(), {"/externalId"}},
      {{{"externalId", ""}}, {"/externalId"}},
      {{{"externalId", std::string(1025, 'x')}}, {"/externalId"}},
      {{{"externalId", "a"}, {"conversation", Json::object()}}, {"/conversation"}},
      {{{"externalId", "a"}, {"timestamp", "now"}, {"tags", "x"}, {"agents", {1}}},
       {"/agents/0", "/tags", "/timestamp"}},
      {talk(1), {at}},
      {talk(Json::object()), {at + "/content"}},
      {talk({{"type", "tool"}}), {at + "/name"}},
      {talk({{"role", "king"}, {"content", 1}, {"metadata", Json::array()}}),
       {at + "/content", at + "/metadata", at + "/role"}},
      {talk({{"content", "x"}, {"createdAt", "yesterday"}}), {at + "/createdAt"}},
      {talk({{"role", "king"}}), {at + "/content", at + "/role"}},
      {talk({{"type", "tool"}, {"metadata", 5}}), {at + "/metadata", at + "/name"}},
      {talk({{"type", "song"}}), {at + "/type"}},
      {talk({{"content", "x"}, {"metadata", {{"k", std::string(102'400, 'x')}}}}), {at + "/metadata"}},
      {{{"externalId", "a"}, {"conversation", std::vector<Json>(10'001, {{"content", "x"}})}},
       {"/conversation"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.post(logs, row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump().substr(0, 200);
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump().substr(0, 200);
  }
  EXPECT_EQ(world.get(logs).json()["total"], 0);
}

TEST(ExternalLogs, hold_10000_messages_D55) {
  ApiWorld world;
  const Json body{{"externalId", "a"}, {"conversation", std::vector<Json>(10'000, {{"content", "x"}})}};
  const std::string id = world.made(logs, body);
  EXPECT_EQ(world.get(logs + id).json()["conversation"].size(), 10'000u);
}

TEST(ExternalLogs, are_one_for_each_externalId_I60) {
  ApiWorld world;
  const std::string huge(1'024, 'e');
  for (const std::string& external_id : {std::string("same"), huge}) {
    world.made(logs, log_of(external_id));
    const Reading again = world.post(logs, log_of(external_id));
    EXPECT_EQ(again.status, 409);
    EXPECT_EQ(again.slug(), "conflict");
  }
  EXPECT_EQ(world.post(logs, log_of(huge.substr(1) + "x")).status, 201);
  EXPECT_EQ(world.get(logs).json()["total"], 3);
}

TEST(ExternalLogs, replace_metadata_and_conversation_on_patch_D20) {
  ApiWorld world;
  Json body = log_of("a");
  body["metadata"] = {{"old", 1}};
  const Json made = world.post(logs, body).json();
  const std::string path = logs + made["id"].get<std::string>();
  const Json agent = world.made("/agents/", {{"name", "bot"}});
  const Json after = world
                         .patch(path, {{"metadata", {{"new", 2}}},
                                       {"description", "late order"},
                                       {"agents", agent},
                                       {"externalId", "other"},
                                       {"conversation", {{{"content", "one"}}, {{"content", "two"}}}}})
                         .json();
  EXPECT_EQ(after["metadata"], (Json{{"new", 2}}));
  EXPECT_EQ(after["externalId"], "a");
  EXPECT_EQ(after["agents"][0]["name"], "bot");
  EXPECT_EQ(after["conversation"].size(), 2u);
  EXPECT_EQ(world.patch(path, {{"description", "x"}}).json()["conversation"], after["conversation"]);
}

TEST(ExternalLogs, get_the_smart_tags_whose_rule_they_meet_D20) {
  ApiWorld world;
  const auto rule = [](const std::string& match, std::vector<Json> conditions) {
    return Json{{"match", match}, {"conditions", conditions}};
  };
  const auto is = [](const std::string& field, const std::string& op, const Json& value,
                     const std::string& pointer = "") {
    Json made{{"field", field}, {"op", op}};
    if (!value.is_null()) made["value"] = value;
    if (!pointer.empty()) made["pointer"] = pointer;
    return made;
  };
  struct Row {
    std::string name;
    Json rule;
    bool is_met;
  };
  const std::vector<Row> rows{
      {"contains", rule("any", {is("content", "contains", "ORDER")}), true},
      {"contains not", rule("any", {is("content", "contains", "invoice")}), false},
      {"equals", rule("any", {is("externalSource", "equals", "shop")}), true},
      {"equals case", rule("any", {is("externalSource", "equals", "Shop")}), false},
      {"regex", rule("any", {is("description", "regex", "^late\\b")}), true},
      {"number", rule("any", {is("metadata", "equals", 3.0, "/n")}), true},
      {"item", rule("any", {is("metadata", "contains", "b", "/list")}), true},
      {"no item", rule("any", {is("metadata", "contains", "c", "/list")}), false},
      {"exists", rule("any", {is("metadata", "exists", nullptr, "/n")}), true},
      {"exists not", rule("any", {is("metadata", "exists", nullptr, "/m")}), false},
      {"absent", rule("any", {is("metadata", "exists", false, "/m")}), true},
      {"all", rule("all", {is("content", "contains", "order"), is("content", "contains", "invoice")}), false},
      {"any", rule("any", {is("content", "contains", "order"), is("content", "contains", "invoice")}), true},
  };
  std::vector<std::string> wanted{"by hand"};
  const std::string by_hand = world.made("/tags/", {{"name", "by hand"}});
  world.made("/tags/", {{"name", "not smart"}, {"rule", rows[0].rule}});
  world.made("/tags/", {{"name", "gone"}, {"isSmart", true}, {"isArchived", true}, {"rule", rows[0].rule}});
  for (const Row& row : rows) {
    world.made("/tags/", {{"name", row.name}, {"isSmart", true}, {"rule", row.rule}});
    if (row.is_met) wanted.push_back(row.name);
  }
  Json body = log_of("a");
  body.update({{"tags", by_hand},
               {"externalSource", "shop"},
               {"description", "late order"},
               {"metadata", {{"n", 3}, {"list", {"a", "b"}}}}});
  std::vector<std::string> tags;
  const Json made = world.post(logs, body).json();
  for (const Json& tag : made["tags"]) tags.push_back(tag["name"]);
  std::sort(tags.begin(), tags.end());
  std::sort(wanted.begin(), wanted.end());
  EXPECT_EQ(tags, wanted);
}

/// Expensive rules must not delay the actor of all records or the thread of a worker.
TEST(ExternalLogs, have_expensive_smart_tags_found_in_the_background) {
  ApiWorld world;
  Json conditions = Json::array();
  for (int i = 0; i < 100; ++i) {
    conditions.push_back({{"field", "content"}, {"op", "contains"}, {"value", "x" + std::to_string(i)}});
  }
  const Json rule{{"match", "any"}, {"conditions", conditions}};
  const std::string tag = world.made("/tags/", {{"name", "t"}, {"isSmart", true}, {"rule", rule}});
  const auto log_with = [](const std::string& external_id, const std::string& text) {
    return Json{{"externalId", external_id}, {"conversation", {{{"content", text}}}}};
  };
  const std::string large = std::string(200'000, 'a') + "x99";
  world.gateway->background_problem = problem(ProblemKind::busy, "send less");
  EXPECT_EQ(world.post(logs, log_with("small", "X99")).json()["tags"][0]["id"], tag);
  EXPECT_EQ(world.post(logs, log_with("large", large)).status, 503);
  EXPECT_EQ(world.get(logs).json()["total"], 1) << "nothing of it is stored";
  world.gateway->background_problem.reset();
  const Reading made = world.post(logs, log_with("large", large));
  ASSERT_EQ(made.status, 201) << made.text;
  EXPECT_EQ(made.json()["tags"][0]["id"], tag);
}

TEST(ExternalLogs, are_refused_if_a_smart_tag_is_unreadable_I13) {
  ApiWorld world;
  const Json rule{{"match", "any"},
                  {"conditions", {{{"field", "content"}, {"op", "contains"}, {"value", "x"}}}}};
  const Id tag =
      id_from_text(world.made("/tags/", {{"name", "t"}, {"isSmart", true}, {"rule", rule}})).value_or(Id{});
  std::string damaged = store::frame(tag.key(), 2, R"({"name":"t"})");
  damaged.back() = '!';
  store::ChangeSet changes;
  changes.writes.push_back({store::table_of(RecordKind::tag), std::string(tag.key()), 1, std::move(damaged)});
  ASSERT_TRUE(world.commit(changes).ok());
  EXPECT_EQ(world.post(logs, log_of("a")).status, 500);
  EXPECT_EQ(world.get(logs).json()["total"], 0) << "a log without its smart tags is not stored";
}

TEST(ExternalLogs, are_listed_by_tag_agent_source_and_externalId) {
  ApiWorld world;
  const std::string tag = world.made("/tags/", {{"name", "t"}});
  const std::string agent = world.made("/agents/", {{"name", "a"}});
  Json first = log_of("first external id of some length");
  first.update({{"tags", tag}, {"externalSource", "shop"}});
  Json second = log_of("second");
  second.update({{"agents", agent}, {"isArchived", true}});
  world.made(logs, first);
  world.made(logs, second);
  const auto total = [&](const std::string& query) {
    return world.get(logs + query).json()["total"].get<int>();
  };
  EXPECT_EQ(total(""), 1);
  EXPECT_EQ(total("?tag=" + tag), 1);
  EXPECT_EQ(total("?tag=" + agent), 0);
  EXPECT_EQ(total("?archived=true&agent=" + agent), 1);
  EXPECT_EQ(total("?externalSource=shop"), 1);
  EXPECT_EQ(total("?externalSource=sho"), 0);
  EXPECT_EQ(total("?externalId=first%20external%20id%20of%20some%20length"), 1);
  const Json row = world.get(std::string(logs) + "?output=minimal").json()["data"][0];
  EXPECT_FALSE(row.contains("conversation"));
  EXPECT_FALSE(row.contains("metadata"));
  EXPECT_EQ(row["tags"][0]["name"], "t");
  EXPECT_TRUE(store::recount(world.store().snapshot()).value().empty());
}

/// Rendering a page of several MiB takes longer than the worker's other clients should wait (I65).
TEST(ExternalLogs, fill_large_pages_in_the_background_I65) {
  ApiWorld world;
  for (int i = 0; i < 3; ++i) {
    Json log = log_of("x" + std::to_string(i));
    log["conversation"][0]["content"] = std::string(600'000, 'x');
    ASSERT_EQ(world.post(logs, log).status, 201);
  }
  const Reading whole = world.get(logs);
  EXPECT_EQ(whole.status, 200);
  EXPECT_EQ(whole.json()["data"].size(), 3U);
  EXPECT_TRUE(whole.headers.contains("Link"));
  EXPECT_EQ(world.get(std::string(logs) + "?output=minimal").json()["data"].size(), 3U);
  world.gateway->background_problem = problem(ProblemKind::busy, "later");
  EXPECT_EQ(world.get(logs).status, 503);
  EXPECT_EQ(world.get(std::string(logs) + "?limit=1").status, 200) << "which is small enough for the worker";
}

/// Logs with agents, and tests that replay no log, one log, or two logs (their own and their parent's).
struct ReplayWorld : ResultWorld {
  const std::string other = made("/agents", {{"name", "other"}, {"type", "EXTERNAL"}});
  const std::string place = made("/scenarios", {{"name", "replays"}});
  const std::string closed = log("closed", {other});
  const std::string open = log("open", Json::array());
  const std::string of_closed = test_of({{"sourceConversationLog", closed}});
  const std::string of_open = test_of({{"sourceConversationLog", open}});
  const std::string of_none = test_of({{"instruction", "say: hi"}});

  std::string log(const std::string& external_id, const Json& agents) {
    Json body = log_of(external_id);
    body["agents"] = agents;
    return made(logs, body);
  }
  std::string test_of(Json body) {
    body["scenario"] = place;
    return made("/tests", body);
  }
  std::string variant_of(const std::string& parent, Json body) {
    body["parentTest"] = parent;
    return test_of(std::move(body));
  }
};

TEST(ExternalLogs, are_played_only_by_their_agents) {
  ReplayWorld world;
  const Json more{{"instruction", "say: more"}};
  const Json from_open{{"sourceConversationLog", world.open}};
  const Json from_closed{{"sourceConversationLog", world.closed}};
  struct Row {
    std::string test;
    std::string named;  ///< in the body; empty if absent
    std::string shown;  ///< in the result; empty if refused
  };
  const std::vector<Row> rows{
      {world.of_closed, "", ""},
      {world.of_closed, world.open, ""},
      {world.variant_of(world.of_closed, more), "", ""},
      {world.variant_of(world.of_closed, more), world.open, ""},
      {world.variant_of(world.of_closed, from_open), "", ""},
      {world.variant_of(world.of_closed, from_open), world.open, ""},
      {world.variant_of(world.of_open, from_closed), "", ""},
      {world.variant_of(world.of_open, from_closed), world.open, ""},
      {world.of_open, world.closed, ""},
      {world.of_none, world.closed, ""},
      {"", world.closed, ""},
      {world.of_open, "", world.open},
      {world.of_none, world.open, world.open},
      {world.variant_of(world.of_none, from_open), "", world.open},
      {"", world.open, world.open},
  };
  for (const Row& row : rows) {
    Json body{{"agent", world.agent}};
    if (!row.test.empty()) body["test"] = row.test;
    if (!row.named.empty()) body["sourceConversationLog"] = row.named;
    const Reading answer = world.post("/test-results", body);
    if (!row.shown.empty()) {
      ASSERT_EQ(answer.status, 201) << body;
      EXPECT_EQ(to_text(world.gateway->previews.back().source_conversation_log->id), row.shown) << body;
      continue;
    }
    EXPECT_EQ(answer.status, 400) << body;
    EXPECT_EQ(answer.faults(), std::vector<std::string>{"/agent"}) << body;
    EXPECT_NE(answer.text.find(world.closed), std::string::npos) << answer.text;
    body["agent"] = world.other;
    EXPECT_EQ(world.post("/test-results", body).status, 201) << body;
  }
}

TEST(ExternalLogs, are_compared_with_their_replays) {
  ResultWorld world;
  const std::string log = world.made(
      logs, {{"externalId", "x"},
             {"description", "late"},
             {"conversation",
              {{{"role", "user"}, {"content", "text"}}, {{"role", "assistant"}, {"content", "Hi"}}}}});
  ResultSpec spec;
  spec.entries = {world.message(Role::tester, "{}"), world.message(Role::chatbot, "{}")};
  const std::string replay = world.result(std::move(spec));
  const Reading reading = world.get("/test-results/" + log + "/compare/" + replay);
  ASSERT_EQ(reading.status, 200) << reading.text;
  const Json diff = reading.json();
  EXPECT_EQ(diff["a"]["externalId"], "x");
  EXPECT_FALSE(diff["a"].contains("conversation"));
  EXPECT_EQ(diff["b"]["id"], replay);
  EXPECT_EQ(diff["turns"][0]["tester"], "same");
  EXPECT_EQ(diff["turns"][0]["agent"], "different");
  EXPECT_EQ(world.get("/test-results/" + replay + "/compare/" + log).json()["b"]["id"], log);
  EXPECT_EQ(world.get("/test-results/" + log + "/compare/" + log).json()["wording"], Json());
  EXPECT_EQ(world.get("/test-results/" + log + "/compare/" + world.test).status, 404);
}

}  // namespace
}  // namespace parley::http
