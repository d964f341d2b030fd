// The conversation of a result over HTTP: faults of entries, the commands sent to the actor, the forms of next-message.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

TEST(Conversation, answers_only_the_entry_with_return_minimal_D11) {
  ResultWorld world;
  const std::string id = world.result({});
  world.gateway->result_reply.entry = world.message(Role::chatbot, R"({"a":1})");
  const Reading reading =
      world.post("/test-results/" + id + "/conversation", {{"content", "x"}}, {{"Prefer", "return=minimal"}});
  EXPECT_EQ(reading.status, 201);
  EXPECT_EQ(reading.json().size(), 3u);
  EXPECT_EQ(reading.json()["entry"]["metadata"], Json({{"a", 1}}));
  EXPECT_EQ(reading.json()["isEnded"], false);
}

TEST(Conversation, names_the_faults_of_an_entry_D52_D53_D54) {
  ResultWorld world;
  const std::string id = world.result({});
  const std::string big(102'400, 'x');
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  const auto event = [](const Json& actions) {
    return Json{{"type", "public-event"}, {"name", "form"}, {"metadata", {{"actions", actions}}}};
  };
  Json inserted = event(Json::array());
  inserted["after"] = "x";
  const std::vector<Row> rows{
      {Json::object(), {"/content"}},
      {{{"type", "message"}}, {"/content"}},
      {{{"type", "tool"}}, {"/name"}},
      {{{"type", "internal-event"}, {"name", ""}}, {"/name"}},
      {{{"type", "public-event"}, {"name", std::string(257, 'n')}}, {"/name"}},
      {{{"type", "shout"}, {"content", "x"}}, {"/type"}},
      {{{"type", "shout"}}, {"/type"}},
      {{{"type", 7}, {"role", 7}}, {"/role", "/type"}},
      {{{"content", "x"}, {"after", "a"}, {"before", "b"}}, {"/before"}},
      {{{"content", "x"}, {"metadata", {1}}}, {"/metadata"}},
      {{{"content", "x"}, {"metadata", {{"k", big}}}}, {"/metadata"}},
      {{{"content", std::string(1024 * 1024 + 1, 'x')}}, {"/content"}},
      {{{"content", "x"}, {"role", "tester"}}, {"/role"}},
      {{{"type", "action"}, {"name", "go"}}, {"/type"}},
      {event("no list"), {"/metadata/actions"}},
      {event({{{"name", "1a"}, {"description", "d"}}}), {"/metadata/actions/0/name"}},
      {inserted, {"/metadata/actions"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.post("/test-results/" + id + "/conversation", row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump().substr(0, 200);
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump().substr(0, 200) << reading.text;
  }
  const Json twice{{{"name", "go"}, {"description", "d"}}, {{"name", "go"}, {"description", "e"}}};
  EXPECT_EQ(world.post("/test-results/" + id + "/conversation", event(twice)).slug(), "duplicate-action");
  EXPECT_TRUE(world.gateway->result_commands.empty()) << "a refused body reaches no actor (I4)";
}

TEST(Conversation, refuses_every_speaker_in_a_driven_one_by_its_state_D71) {
  ResultWorld world;
  ResultSpec driven;
  driven.head.is_server_driven = true;
  const std::string path = "/test-results/" + world.result(driven) + "/conversation";
  world.gateway->problem = problem(ProblemKind::conflict, "driven");
  const std::vector<Json> speaking{{{"content", "x"}},
                                   {{"content", "x"}, {"role", "tester"}},
                                   {{"type", "action"}, {"name", "go"}},
                                   {{"type", "action"}, {"name", "go"}, {"role", "tester"}}};
  for (const Json& body : speaking) EXPECT_EQ(world.post(path, body).status, 409) << body;
  EXPECT_EQ(world.gateway->result_commands.size(), 4U);
  EXPECT_EQ(world.post(path, {{"type", "tool"}, {"name", "t"}, {"role", "tester"}}).faults(),
            std::vector<std::string>{"/role"});
}

TEST(Conversation, ignores_read_only_fields_of_an_entry_even_with_strict_handling_D5) {
  ResultWorld world;
  ResultSpec spec;
  spec.entries.push_back(world.message(Role::chatbot, "{}"));
  const std::string path = "/test-results/" + world.result(spec) + "/conversation";
  const Headers strict{{"Prefer", "handling=strict"}};
  Json entry = world.get(path.substr(0, path.rfind('/'))).json()["conversation"][0];
  EXPECT_EQ(world.post(path, entry, strict).status, 201) << "as it was shown";
  world.gateway->result_reply.entries = 1;
  const std::string one = path + "/" + entry["id"].get<std::string>();
  EXPECT_EQ(world.patch(one, entry, strict).status, 200);
  entry["nmae"] = 1;
  EXPECT_EQ(world.post(path, entry, strict).faults(), std::vector<std::string>{"/nmae"});
  EXPECT_EQ(world.patch(one, entry, strict).faults(), std::vector<std::string>{"/nmae"});
}

TEST(Conversation, passes_recorded_entries_on) {
  ResultWorld world;
  const std::string id = world.result({});
  const Json actions{{{"name", "go"}, {"description", "d"}}};
  EXPECT_EQ(
      world
          .post("/test-results/" + id + "/conversation",
                {{"type", "internal-event"}, {"name", "n"}, {"metadata", {{"actions", actions}, {"k", 1}}}})
          .status,
      201);
  EXPECT_EQ(world
                .post("/test-results/" + id + "/conversation",
                      {{"content", ""}, {"metadata", {{"actions", 5}}}, {"before", "e"}})
                .status,
            201)
      << "on a message, actions is a key like any other";
  const auto& event = std::get<actors::PostEntry>(world.gateway->result_commands[0]);
  EXPECT_EQ(event.type, EntryType::internal_event);
  ASSERT_TRUE(event.actions.has_value());
  EXPECT_EQ(event.actions->front().name, "go");
  const auto& message = std::get<actors::PostEntry>(world.gateway->result_commands[1]);
  EXPECT_FALSE(message.actions.has_value());
  EXPECT_EQ(message.content, "");
  EXPECT_EQ(message.before, "e");
}

TEST(Conversation, takes_the_testers_turns_in_a_manual_session_D52) {
  ResultWorld world;
  ResultSpec spec;
  spec.head.is_manual = true;
  const std::string path = "/test-results/" + world.result(spec) + "/conversation";
  EXPECT_EQ(world.post(path, {{"role", "tester"}, {"content", "hi"}}).status, 201);
  EXPECT_EQ(world.post(path, {{"type", "action"}, {"name", "go"}}).status, 201);
  EXPECT_EQ(std::get<actors::PostEntry>(world.gateway->result_commands[1]).role, Role::tester);
  EXPECT_EQ(world.post(path, {{"type", "tool"}, {"name", "t"}, {"role", "tester"}}).status, 400);
}

TEST(Conversation, merges_metadata_but_never_actions_D57) {
  ResultWorld world;
  ResultSpec spec;
  spec.entries.push_back(world.message(Role::chatbot, "{}"));
  const std::string path = "/test-results/" + world.result(spec) + "/conversation/";
  const std::string entry = to_text(spec.entries[0].id);
  EXPECT_EQ(world.patch(path + entry, {{"metadata", {{"actions", nullptr}}}}).faults(),
            std::vector<std::string>{"/metadata/actions"});
  EXPECT_EQ(world.patch(path + entry, Json::object()).faults(), std::vector<std::string>{"/metadata"});
  EXPECT_EQ(world.patch(path + "nope", Json::object()).status, 404);
  EXPECT_EQ(world.patch(path + to_text(world.next_id()), Json::object()).status, 404)
      << "the path is checked first (D3)";
  world.gateway->result_reply.entries = 1;
  EXPECT_EQ(world.patch(path + entry, {{"metadata", {{"k", 1.0}}}}).status, 200);
  EXPECT_EQ(std::get<actors::PatchEntry>(world.gateway->result_commands.back()).patch.text, R"({"k":1.0})");
}

TEST(NextMessage, answers_each_of_its_shapes) {
  ResultWorld world;
  const std::string path = "/test-results/" + world.result({}) + "/next-message";
  const Id entry = world.next_id();
  auto& turn = world.gateway->result_reply.turn.emplace();
  turn.message = "hi";
  turn.message_id = entry;
  EXPECT_EQ(world.post(path).json(), Json({{"message", "hi"},
                                           {"action", nullptr},
                                           {"end_chat", false},
                                           {"ready", true},
                                           {"message_id", to_text(entry)}}));
  turn = {};
  turn.action = {"go", json::Text{R"({"n":1.0})"}};
  EXPECT_NE(world.post(path).text.find(R"("action":{"name":"go","arguments":{"n":1.0}})"), std::string::npos);
  turn = {};
  turn.end_chat = true;
  EXPECT_EQ(world.post(path).json(), Json({{"message", nullptr},
                                           {"action", nullptr},
                                           {"end_chat", true},
                                           {"ready", true},
                                           {"message_id", nullptr}}));
  EXPECT_EQ(world.post(path).status, 200);
}

}  // namespace
}  // namespace parley::http
