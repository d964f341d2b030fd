// Test results over HTTP: the generated case, the faults of bodies, the commands sent to the actors and the
// rendering of their replies.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

TEST(CreateResult, builds_the_case_of_a_preview_D42) {
  ResultWorld world;
  const Reading made = world.post("/test-results", {{"agent", world.agent},
                                                    {"testInstruction", "say: hi"},
                                                    {"metadata", {{"a", 1.0}}},
                                                    {"externalLinks", {{{"url", "u"}}}},
                                                    {"completionMode", "manual"},
                                                    {"assertionResults", {{{"criteria", "polite"}}}}});
  ASSERT_EQ(world.gateway->previews.size(), 1u) << made.text;
  const actors::CreateResult& asked = world.gateway->previews.front();
  EXPECT_EQ(asked.test_case.instruction, "say: hi");
  ASSERT_EQ(asked.test_case.assertions.size(), 1u);
  EXPECT_FALSE(asked.test_case.assertions[0].id.empty());
  EXPECT_EQ(asked.extras.metadata.text, R"({"a":1.0})");
  EXPECT_EQ(asked.completion_mode, CompletionMode::manual);
  EXPECT_FALSE(asked.driving.by_service);
  EXPECT_FALSE(asked.test_created_at.has_value());
}

TEST(Verdicts, of_a_record_of_schema_5_are_shown_newest_first) {
  ResultWorld world;
  ResultSpec spec;
  spec.head.status = ResultStatus::completed;
  spec.head.end_reason = EndReason::tester_ended;
  spec.head.rescored = 2;
  spec.verdict = ResultVerdict{{"[]"}, std::nullopt, {{R"({"version":2})"}, {R"({"version":1})"}}};
  const Reading shown = world.get("/test-results/" + world.result(std::move(spec)) + "/verdicts");
  std::vector<int> versions;
  const Json body = shown.json();
  for (const Json& row : body["data"]) versions.push_back(row["version"]);
  EXPECT_EQ(versions, (std::vector{3, 2, 1})) << shown.text;
}

TEST(CreateResult, composes_a_variant_and_puts_fields_in_D41_D22) {
  ResultWorld world;
  const std::string parent =
      world.made("/tests", {{"scenario", world.scenario},
                            {"instruction", "say: {{greeting}}"},
                            {"fields", {{"greeting", "hello"}, {"city", "Bern"}}},
                            {"assertions", {{{"id", "x"}, {"criteria", "from {{city}}"}}}}});
  const std::string variant = world.made("/tests", {{"scenario", world.scenario},
                                                    {"parentTest", parent},
                                                    {"instruction", "say: bye {{unknown}}"},
                                                    {"fields", {{"city", "Rome"}}},
                                                    {"assertions", {{{"id", "y"}, {"criteria", "short"}}}}});
  EXPECT_EQ(world.post("/test-results", {{"agent", world.agent}, {"test", variant}}).status, 201);
  const actors::CreateResult& asked = world.gateway->previews.front();
  EXPECT_EQ(asked.test_case.instruction, "say: hello\n\nsay: bye {{unknown}}");
  ASSERT_EQ(asked.test_case.assertions.size(), 2u);
  EXPECT_EQ(asked.test_case.assertions[0].criteria, "from Rome");
  EXPECT_EQ(asked.test_created_at, world.stored<parley::Test>(variant).stamp.created_at());

  // The override replaces the parent's assertion in place; the overlay's own assertion follows (D32).
  EXPECT_EQ(world
                .post("/test-results", {{"agent", world.agent},
                                        {"test", variant},
                                        {"assertionResults", {{{"id", "z"}, {"criteria", "new"}}}}})
                .status,
            201);
  const auto& composed = world.gateway->previews.back().test_case.assertions;
  ASSERT_EQ(composed.size(), 2u);
  EXPECT_EQ(composed[0].id, "z");
  EXPECT_EQ(composed[1].id, "y");
}

TEST(CreateResult, counts_fifteen_after_composition_I57) {
  ResultWorld world;
  const std::string variant = world.variant_with_one_assertion();
  const auto status_with = [&](int count, const Json& test) {
    Json list = Json::array();
    for (int i = 0; i < count; ++i) list.push_back({{"criteria", "c"}});
    return world.post("/test-results", {{"agent", world.agent}, {"test", test}, {"assertionResults", list}})
        .status;
  };
  EXPECT_EQ(status_with(15, nullptr), 201);
  EXPECT_EQ(status_with(16, nullptr), 400);
  EXPECT_EQ(status_with(14, variant), 201);
  EXPECT_EQ(status_with(15, variant), 400);
}

TEST(CreateResult, is_refused_if_fields_make_its_assertions_too_long_D22_D55) {
  ResultWorld world;
  const std::string scenario =
      world.made("/scenarios", {{"agents", {world.agent}}, {"fields", {{"k", std::string(200'000, 'v')}}}});
  const Json one{{"criteria", "{{k}}{{k}}"}};  // ten of them yield four million bytes
  const std::string fitting =
      world.made("/tests", {{"scenario", scenario}, {"assertions", Json(std::vector<Json>(10, one))}});
  const std::string beyond =
      world.made("/tests", {{"scenario", scenario}, {"assertions", Json(std::vector<Json>(11, one))}});
  Json body{{"agent", world.agent}, {"test", fitting}};
  EXPECT_EQ(world.post("/test-results", body).status, 201);
  ASSERT_EQ(world.gateway->previews.size(), 1U);
  for (const Assertion& each : world.gateway->previews.front().test_case.assertions)
    EXPECT_EQ(each.criteria, std::string(400'000, 'v'));
  body["assertionResults"] = std::vector<Json>(11, one);
  const Reading overridden = world.post("/test-results", body);
  EXPECT_EQ(overridden.status, 400);
  EXPECT_EQ(overridden.faults(), std::vector<std::string>{"/assertionResults"});
  const Reading refused = world.post("/test-results", {{"agent", world.agent}, {"test", beyond}});
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.faults(), std::vector<std::string>{"/test"});
  EXPECT_NE(refused.text.find("more than 4 MiB of field values"), std::string::npos) << refused.text;
  EXPECT_EQ(world.gateway->previews.size(), 1U);
}

TEST(CreateResult, names_every_fault_at_once_D3_D42) {
  ResultWorld world;
  const std::string ghost = to_text(world.next_id());
  const std::string archived = world.made("/tests", {{"scenario", world.scenario}, {"isArchived", true}});
  const std::string elsewhere =
      world.made("/tests", {{"scenario", world.made("/scenarios", {{"name", "t"}})}});
  const std::string stranger = world.made("/agents", {{"name", "b"}});
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  Json eleven = Json::array();
  for (int i = 0; i < 11; ++i) eleven.push_back({{"url", "u"}});
  const std::vector<Row> rows{
      {Json::object(), {"/agent"}},
      {{{"agent", ghost}, {"test", "x"}, {"run", ghost}, {"personality", ghost}},
       {"/agent", "/personality", "/run", "/test"}},
      {{{"agent", world.agent}, {"completionMode", "later"}, {"isManual", 1}, {"metadata", {1}}},
       {"/completionMode", "/isManual", "/metadata"}},
      {{{"agent", world.agent}, {"externalLinks", eleven}}, {"/externalLinks"}},
      {{{"agent", world.agent}, {"externalLinks", {1, {{"url", std::string(5000, 'x')}}}}},
       {"/externalLinks/0", "/externalLinks/1"}},
      {{{"agent", world.agent}, {"test", archived}}, {"/test"}},
      {{{"agent", stranger}, {"test", world.test}}, {"/agent"}},
      {{{"agent", stranger}, {"run", world.run}, {"test", elsewhere}}, {"/agent", "/test"}},
      {{{"agent", world.agent}, {"testInstruction", "if /(/ say: x"}}, {"/testInstruction"}},
      {{{"agent", world.agent}, {"assertionResults", {{{"type", "nope"}}}}}, {"/assertionResults/0/type"}},
      {{{"agent", world.agent}, {"metadata", {{"x", std::string(102'400, 'x')}}}}, {"/metadata"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.post("/test-results", row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump().substr(0, 200);
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump().substr(0, 200);
  }
  EXPECT_TRUE(world.gateway->previews.empty() && world.gateway->run_commands.empty());
}

TEST(CreateResult, refuses_an_agent_that_cannot_be_used_after_the_body_D42) {
  ResultWorld world;
  for (const char* field : {"isArchived", "isEnabled"}) {
    const std::string agent =
        world.made("/agents", {{"name", "a"}, {field, std::string(field) == "isArchived"}});
    EXPECT_EQ(world.post("/test-results", {{"agent", agent}}).status, 409) << field;
    EXPECT_EQ(world.post("/test-results", {{"agent", agent}, {"isManual", "x"}}).status, 400) << field;
  }
}

TEST(CreateResult, goes_to_its_run_and_takes_its_personality) {
  ResultWorld world;
  world.gateway->run_reply.result.emplace().head.stamp.id = world.next_id();
  const Reading made =
      world.post("/test-results", {{"agent", world.agent}, {"run", world.run}, {"test", world.test}});
  EXPECT_EQ(made.status, 201) << made.text;
  ASSERT_EQ(world.gateway->run_commands.size(), 1u);
  EXPECT_EQ(to_text(world.gateway->run_ids[0]), world.run);
  const auto& asked = std::get<actors::CreateResult>(world.gateway->run_commands[0]);
  ASSERT_TRUE(asked.personality.has_value());
  EXPECT_EQ(to_text(asked.personality->id), world.personality);
}

TEST(ResultView, shows_every_field_of_the_interface) {
  ResultWorld world;
  const std::string id = world.result({});
  const Json shown = world.get("/test-results/" + id).json();
  const std::vector<std::string> fields{"id",
                                        "createdAt",
                                        "updatedAt",
                                        "test",
                                        "run",
                                        "agent",
                                        "personality",
                                        "sourceConversationLog",
                                        "status",
                                        "isEnded",
                                        "endReason",
                                        "completionMode",
                                        "scoringEnqueuedAt",
                                        "conversation",
                                        "assertionResults",
                                        "overallPassed",
                                        "score",
                                        "metadata",
                                        "isManual",
                                        "claims",
                                        "review",
                                        "externalLinks",
                                        "testCreatedAt",
                                        "testInstruction",
                                        "isArchived",
                                        "retiredBy",
                                        "averages",
                                        "state",
                                        "warnings"};
  EXPECT_EQ(shown.size(), fields.size());
  for (const std::string& field : fields) EXPECT_TRUE(shown.contains(field)) << field;
  EXPECT_EQ(shown["status"], "pending");
  EXPECT_EQ(shown["conversation"], Json::array());
  EXPECT_EQ(shown["overallPassed"], true);
  EXPECT_EQ(shown["score"], 0);
  EXPECT_EQ(shown["claims"], Json::array());
  EXPECT_EQ(shown["review"], nullptr);
  EXPECT_EQ(shown["agent"]["name"], "bot");
  EXPECT_EQ(shown["averages"]["cost"], nullptr);
}

TEST(ResultView, shows_pending_assertions_until_the_verdict_D32) {
  ResultWorld world;
  ResultSpec spec;
  spec.test_case.instruction = "say: hi";
  Assertion& polite = spec.test_case.assertions.emplace_back();
  polite.id = "a";
  polite.criteria = "polite";
  const Json waiting = world.get("/test-results/" + world.result(spec)).json();
  EXPECT_EQ(waiting["testInstruction"], "say: hi");
  EXPECT_EQ(waiting["assertionResults"][0]["status"], "pending");
  EXPECT_EQ(waiting["assertionResults"][0]["passed"], nullptr);

  spec.head.status = ResultStatus::completed;
  spec.head.end_reason = EndReason::tester_ended;
  const AssertionResult passed{spec.test_case.assertions[0], AssertionStatus::passed, "was", {}, {}};
  spec.verdict.emplace().assertion_results = shown_results({&passed, 1});
  const Json scored = world.get("/test-results/" + world.result(spec)).json();
  EXPECT_EQ(scored["assertionResults"][0]["passed"], true);
  EXPECT_EQ(scored["isEnded"], true);
  EXPECT_EQ(scored["endReason"], "tester_ended");
}

TEST(ResultView, lays_the_services_keys_over_the_clients_metadata_D46) {
  ResultWorld world;
  ResultSpec spec;
  spec.extras.metadata.text = R"({"z":1.0,"tester":"me"})";
  spec.head.previous = std::string("p");
  spec.head.tester = "script";
  spec.head.error = json::Text{R"({"source":"agent"})"};
  const std::string text = world.get("/test-results/" + world.result(spec)).text;
  EXPECT_NE(
      text.find(
          R"("metadata":{"z":1.0,"tester":"script","previous_test_result_id":"p","error":{"source":"agent"}})"),
      std::string::npos)
      << text;
}

TEST(ResultView, averages_chatbot_messages_and_follows_the_last_change_D56) {
  ResultWorld world;
  ResultSpec spec;
  spec.entries.push_back(world.message(Role::chatbot, R"({"responseTime":10})"));
  spec.entries.push_back(world.message(Role::tester, R"({"responseTime":1000})"));
  spec.entries.push_back(world.message(Role::chatbot, R"({"responseTime":20,"cost":"x"})"));
  spec.entries.back().created_at = Time{world.clock.now().ms + 5'000};
  const std::string id = world.result(spec);
  const Json shown = world.get("/test-results/" + id).json();
  EXPECT_EQ(shown["averages"]["responseTime"], 15);
  EXPECT_EQ(shown["averages"]["cost"], nullptr);
  EXPECT_EQ(shown["conversation"].size(), 3u);
  EXPECT_EQ(shown["updatedAt"], to_text(spec.entries.back().created_at));
  const Json row = world.get("/test-results?output=minimal").json()["data"][0];
  EXPECT_EQ(row["updatedAt"], shown["updatedAt"]);
  EXPECT_EQ(row["averages"], shown["averages"]);
  for (const char* heavy :
       {"conversation", "assertionResults", "claims", "review", "metadata", "externalLinks"}) {
    EXPECT_FALSE(row.contains(heavy)) << heavy;
  }
}

TEST(ResultView, answers_an_append_with_its_own_entry_last_I35) {
  ResultWorld world;
  ResultSpec spec;
  for (int i = 0; i < 3; ++i) spec.entries.push_back(world.message(Role::chatbot, "{}"));
  const std::string id = world.result(spec);
  world.gateway->result_reply.entries = 2;  // a third one was appended before the answer was rendered
  world.gateway->result_reply.entry = spec.entries[1];
  const Json shown = world.post("/test-results/" + id + "/conversation", {{"content", "x"}}).json();
  ASSERT_EQ(shown["conversation"].size(), 2u);
  EXPECT_EQ(shown["conversation"][1]["id"], to_text(spec.entries[1].id));
}

TEST(Results, pass_on_finish_retry_and_refusals) {
  ResultWorld world;
  const std::string path = "/test-results/" + world.result({});
  EXPECT_EQ(world.post(path + "/finish").status, 202);
  const Reading retried = world.post(path + "/retry");
  EXPECT_EQ(retried.status, 201);
  EXPECT_EQ(retried.headers.at("Location"), path);
  EXPECT_TRUE(std::holds_alternative<actors::Finish>(world.gateway->result_commands[0]));
  EXPECT_TRUE(std::holds_alternative<actors::Retry>(world.gateway->result_commands[1]));
  world.gateway->problem = problem(ProblemKind::conflict, "not now");
  EXPECT_EQ(world.post(path + "/finish").status, 409);
  world.gateway->problem = problem(ProblemKind::busy, "later");
  const Reading busy = world.post(path + "/finish");
  EXPECT_EQ(busy.status, 503);
  EXPECT_EQ(busy.headers.at("Retry-After"), "1");
}

TEST(Results, refuse_another_value_for_a_key_of_the_service_D46) {
  ResultWorld world;
  ResultSpec spec;
  spec.head.previous = std::string("p");
  const std::string path = "/test-results/" + world.result(spec);
  EXPECT_EQ(world.patch(path, {{"metadata", {{"previous_test_result_id", "q"}}}}).faults(),
            std::vector<std::string>{"/metadata/previous_test_result_id"});
  EXPECT_EQ(world.patch(path, {{"metadata", {{"previous_test_result_id", "p"}, {"k", 1}}}}).status, 200);
  EXPECT_EQ(std::get<actors::PatchResult>(world.gateway->result_commands[0]).metadata->text, R"({"k":1})");
  EXPECT_EQ(world.patch(path, {{"status", "nope"}, {"completionMode", 1}}).faults(),
            (std::vector<std::string>{"/completionMode", "/status"}));
  EXPECT_EQ(world.patch(path, Json::object()).status, 200);
  const auto& empty = std::get<actors::PatchResult>(world.gateway->result_commands[1]);
  EXPECT_FALSE(empty.status || empty.metadata || empty.external_links || empty.completion_mode);
}

TEST(Results, are_listed_by_their_filters_and_sorted_by_their_fields) {
  ResultWorld world;
  ResultSpec low;
  low.head.score = 10;
  ResultSpec high;
  high.head.score = 90;
  high.head.status = ResultStatus::canceled;
  high.head.end_reason = EndReason::canceled;
  const std::string first = world.result(low);
  const std::string second = world.result(high);
  EXPECT_EQ(world.get("/test-results?status=canceled").json()["data"][0]["id"], second);
  EXPECT_EQ(world.get("/test-results?status=nope").faults(), std::vector<std::string>{"status"});
  EXPECT_EQ(world.get("/test-results?sortBy=score&sortOrder=asc").json()["data"][0]["id"], first);
  for (const char* field :
       {"testCreatedAt", "endReason", "testInstruction", "updatedAt", "isEnded", "retiredBy"}) {
    EXPECT_EQ(world.get("/test-results?sortBy=" + std::string(field)).json()["total"], 2) << field;
  }
  for (const char* field : {"conversation", "agent", "passed", "end"}) {
    EXPECT_EQ(world.get("/test-results?sortBy=" + std::string(field)).status, 400) << field;
  }
}

TEST(Results, ignore_read_only_fields_even_with_strict_handling_D5) {
  ResultWorld world;
  const Headers strict{{"Prefer", "handling=strict"}};
  const std::string path = "/test-results/" + world.result({});
  Json shown = world.get(path).json();
  shown["usage"] = Json::object();  // shown if a model was used
  shown.erase("status");
  EXPECT_EQ(world.patch(path, shown, strict).status, 200);
  shown["socre"] = 1;
  EXPECT_EQ(world.patch(path, shown, strict).faults(), std::vector<std::string>{"/socre"});
  Json body{{"agent", world.agent}, {"score", 5}, {"id", "x"}, {"usage", 1}, {"conversation", 1}};
  EXPECT_EQ(world.post("/test-results", body, strict).status, 201);
  Json run = world.get("/runs/" + world.run).json();
  run.erase("scenario");
  run.erase("status");
  EXPECT_EQ(world.patch("/runs/" + world.run, run, strict).status, 200);
  run["detection"] = 1;
  EXPECT_EQ(world.patch("/runs/" + world.run, run, strict).faults(), std::vector<std::string>{"/detection"})
      << "a key that is never shown is unknown";
}

}  // namespace
}  // namespace parley::http
