// Runs over HTTP: the faults of bodies, the commands sent to the actors, the computed result; and the operations for
// operators.

#include <gtest/gtest.h>

#include "http/views/run_view.hpp"
#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

TEST(CreateRun, hands_the_run_on_with_its_creator) {
  ResultWorld world;
  world.gateway->run_reply.run = world.stored<parley::Run>(world.run);
  const Reading made = world.post("/runs/", {{"scenario", world.scenario},
                                             {"agent", world.agent},
                                             {"status", "running"},
                                             {"testConfigs", {{{"test", world.test}, {"repetitions", 3}}}},
                                             {"result", {{"mine", 1.0}}}});
  EXPECT_EQ(made.status, 201) << made.text;
  EXPECT_EQ(made.headers.at("Location"), "/runs/" + world.run);
  const auto& asked = std::get<actors::CreateRun>(world.gateway->run_commands.at(0)).run;
  EXPECT_EQ(asked.status, RunStatus::running);
  EXPECT_EQ(asked.test_configs.at(0).repetitions, 3);
  EXPECT_EQ(asked.result.text, R"({"mine":1.0})");
  ASSERT_TRUE(asked.created_by.has_value());
  EXPECT_FALSE(asked.run_group.has_value()) << "the actor creates the run's own group";
}

TEST(CreateRun, names_every_fault_at_once_D43_D55) {
  ResultWorld world;
  const std::string ghost = to_text(world.next_id());
  const std::string archived = world.made("/tests", {{"scenario", world.scenario}, {"isArchived", true}});
  const std::string elsewhere =
      world.made("/tests", {{"scenario", world.made("/scenarios", {{"name", "t"}})}});
  const std::string stranger = world.made("/agents", {{"name", "b"}});
  const auto with = [&](Json extra) {
    Json body{{"scenario", world.scenario}, {"agent", world.agent}, {"status", "new"}};
    body.update(extra);
    return body;
  };
  Json many = Json::array();
  for (int i = 0; i < 21; ++i) many.push_back({{"test", world.test}, {"repetitions", 1000}});
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  const std::vector<Row> rows{
      {Json::object(), {"/agent", "/scenario", "/status"}},
      {{{"scenario", ghost}, {"agent", "x"}, {"status", "done"}}, {"/agent", "/scenario", "/status"}},
      {with({{"agent", stranger}}), {"/agent"}},
      {with({{"repetitions", 0}, {"maxConcurrentTests", -1}}), {"/maxConcurrentTests", "/repetitions"}},
      {with({{"repetitions", 2147483648LL}}), {"/repetitions"}},
      {with({{"repetitions", 1.5}, {"runGroup", ghost}}), {"/repetitions", "/runGroup"}},
      {with({{"testConfigs", {{{"test", archived}}, {{"test", elsewhere}}, Json::object()}}}),
       {"/testConfigs/2/test"}},
      {with({{"testConfigs", {{{"test", archived}}, {{"test", elsewhere}}}}}),
       {"/testConfigs/0/test", "/testConfigs/1/test"}},
      {with({{"testConfigs", many}}), {"/testConfigs"}},
      {with({{"result", 1}, {"generateResults", "yes"}}), {"/generateResults", "/result"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.post("/runs", row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump().substr(0, 200);
    if (row.faults == std::vector<std::string>{"/testConfigs/2/test"}) {
      // A missing field and faults in records are reported together.
      EXPECT_EQ(reading.faults().size(), 3u) << reading.text;
    } else {
      EXPECT_EQ(reading.faults(), row.faults) << row.body.dump().substr(0, 200);
    }
  }
  EXPECT_TRUE(world.gateway->run_commands.empty());
}

TEST(CreateRun, launches_only_with_an_agent_that_can_be_used_D43) {
  ResultWorld world;
  EXPECT_EQ(world.patch("/agents/" + world.agent, {{"isEnabled", false}}).status, 200);
  const auto status_of = [&](const std::string& status) {
    return world.post("/runs", {{"scenario", world.scenario}, {"agent", world.agent}, {"status", status}})
        .status;
  };
  EXPECT_EQ(status_of("pending"), 409);
  EXPECT_EQ(status_of("new"), 201);
  EXPECT_EQ(status_of("canceled"), 201);
}

TEST(Runs, pass_on_patch_and_cancel) {
  ResultWorld world;
  world.gateway->run_reply.run = world.stored<parley::Run>(world.run);
  EXPECT_EQ(world
                .patch("/runs/" + world.run,
                       {{"status", "canceled"}, {"result", {{"a", 1.0}}}, {"isArchived", true}})
                .status,
            200);
  const auto& patch = std::get<actors::PatchRun>(world.gateway->run_commands.at(0));
  EXPECT_EQ(patch.status, RunStatus::canceled);
  EXPECT_EQ(patch.result->text, R"({"a":1.0})");
  EXPECT_EQ(patch.is_archived, true);
  EXPECT_EQ(world.patch("/runs/" + world.run, {{"status", "stopped"}, {"scenario", "x"}}).faults(),
            (std::vector<std::string>{"/scenario", "/status"}));
  EXPECT_EQ(world.post("/runs/" + world.run + "/cancel").status, 200);
  EXPECT_TRUE(std::holds_alternative<actors::CancelRun>(world.gateway->run_commands.at(1)));
  EXPECT_EQ(world.post("/runs/nope/cancel").status, 404);
}

TEST(RunView, computes_the_result_from_counters_D35) {
  ResultWorld world;
  EXPECT_EQ(world.get("/runs/" + world.run).json()["result"], Json::object()) << "no result yet";
  const auto add = [&](ResultStatus status, std::int64_t score, bool passed) {
    ResultSpec spec;
    spec.head.run = Ref<RecordKind::run>{*id_from_text(world.run)};
    spec.head.test = Ref<RecordKind::test>{*id_from_text(world.test)};
    spec.head.status = status;
    if (is_terminal(status)) spec.head.end_reason = EndReason::tester_ended;
    spec.head.score = score;
    spec.head.overall_passed = passed;
    spec.head.is_decided = status == ResultStatus::completed;
    return world.result(spec);
  };
  (void)add(ResultStatus::completed, 100, true);
  (void)add(ResultStatus::completed, 51, false);
  (void)add(ResultStatus::pending, 0, true);
  const Json result = world.get("/runs/" + world.run).json()["result"];
  EXPECT_EQ(result["score"], 76) << "75.5, half up";
  EXPECT_EQ(result["passRate"], 0.5);
  EXPECT_EQ(result["total"], 3);
  EXPECT_EQ(result["passed"], 1);
  EXPECT_EQ(result["notPassed"], 1);
  EXPECT_EQ(result["pending"], 1);
  ASSERT_EQ(result["repetitions"].size(), 1u);
  EXPECT_EQ(result["repetitions"][0]["test"]["name"], "t");
  EXPECT_EQ(result["repetitions"][0]["runs"], 2);
  EXPECT_EQ(result["repetitions"][0]["passHatK"], Json({{"1", 0.5}, {"2", 0.0}}));
  const Json row = world.get("/runs?output=minimal").json()["data"][0];
  EXPECT_EQ(row["result"], Json({{"score", 76}, {"passRate", 0.5}, {"total", 3}}));
  EXPECT_FALSE(row.contains("testConfigs"));
  EXPECT_EQ(world.get("/runs/" + world.run + "/repetitions").json()["total"], 1);
  EXPECT_EQ(world.get("/runs/" + world.run + "/repetitions?sortBy=passed&sortOrder=asc").json()["total"], 1);
  EXPECT_EQ(world.get("/runs/" + world.run + "/repetitions?sortBy=passAtK").status, 400)
      << "not a scalar (D6)";
  EXPECT_EQ(world.get("/runs/" + world.run + "/test-results").json()["total"], 3);
  EXPECT_EQ(world.get("/runs/" + world.run + "/test-results?status=pending").json()["total"], 1);
}

TEST(RunView, sorts_repetitions_by_a_figure_ties_by_the_creation_of_their_tests_D6) {
  const auto test = [](std::uint8_t last) {
    Id made_up;
    made_up.bytes[15] = last;
    return made_up;
  };
  const std::vector<Repetition> made{{test(1), 2, 2}, {test(2), 4, 1}, {test(3), 4, 4}};
  const auto order = [&](std::string_view by, bool is_ascending) {
    std::vector<Repetition> rows = made;
    sort_repetitions(rows, by, is_ascending);
    std::string tests;
    for (const Repetition& row : rows) tests += std::to_string(row.test.bytes[15]);
    return tests;
  };
  EXPECT_EQ(order("createdAt", false), "321");
  EXPECT_EQ(order("runs", true), "123");
  EXPECT_EQ(order("runs", false), "321");
  EXPECT_EQ(order("passed", true), "213");
  EXPECT_EQ(order("flaky", true), "132");
}

TEST(RunView, keeps_the_clients_part_below_the_computed_keys_D35) {
  ResultWorld world;
  parley::Run run;
  run.stamp = {world.next_id(), world.clock.now(), 0};
  run.scenario = {*id_from_text(world.scenario)};
  run.agent = {*id_from_text(world.agent)};
  run.result.text = R"({"mine":1.0,"score":5})";
  world.put(run);
  const std::string path = "/runs/" + to_text(run.stamp.id);
  EXPECT_NE(world.get(path).text.find(R"("result":{"mine":1.0,"score":5})"), std::string::npos);
  run.stamp.id = world.next_id();
  run.is_launched = true;
  world.put(run);
  const Json launched = world.get("/runs/" + to_text(run.stamp.id)).json()["result"];
  EXPECT_EQ(launched["mine"], 1.0);
  EXPECT_EQ(launched["score"], nullptr);
  EXPECT_EQ(launched["total"], 0);
}

TEST(Runs, are_listed_by_their_filters) {
  ResultWorld world;
  const std::string me = world.get("/users").json()["data"][0]["id"];
  const std::vector<std::pair<std::string, int>> rows{{"agent=" + world.agent, 1},
                                                      {"agent=" + world.scenario, 0},
                                                      {"personality=" + world.personality, 1},
                                                      {"scenario=" + world.scenario, 1},
                                                      {"createdBy=" + me, 0},
                                                      {"status=running", 1},
                                                      {"status=completed", 0},
                                                      {"scheduled=false", 1},
                                                      {"scheduled=true", 0},
                                                      {"archived=true", 0}};
  for (const auto& [query, total] : rows)
    EXPECT_EQ(world.get("/runs?" + query).json()["total"], total) << query;
  EXPECT_EQ(world.get("/runs?agent=x&scheduled=1&status=y").faults(),
            (std::vector<std::string>{"agent", "scheduled", "status"}));
}

TEST(Scenario, lists_its_tests_and_the_archived_ones_on_request) {
  ResultWorld world;
  (void)world.made("/tests", {{"scenario", world.scenario}, {"isArchived", true}});
  EXPECT_EQ(world.get("/scenarios/" + world.scenario + "/tests").json()["total"], 1);
  EXPECT_EQ(world.get("/scenarios/" + world.scenario + "/tests?archived=true").json()["total"], 1);
  EXPECT_EQ(world.get("/scenarios/nope/tests").status, 404);
}

TEST(Operations, pause_scoring_D95) {
  ApiWorld world;
  EXPECT_EQ(world.call("PUT", "/admin/scoring", R"({"paused":true})").json(), Json({{"paused", true}}));
  EXPECT_TRUE(world.gateway->is_paused);
}

TEST(Operations, answer_with_the_request_id_and_count_it_when_a_handler_throws_F9) {
  ApiWorld world;
  world.gateway->thrown = "page not found";
  for (const std::string key : {"", "again"}) {
    const Headers headers = key.empty() ? Headers{{"X-Request-Id", "mine"}}
                                        : Headers{{"X-Request-Id", "mine"}, {"Idempotency-Key", key}};
    const Reading broken = world.post("/folders/", {{"name", "f"}}, headers);
    EXPECT_EQ(broken.status, 500);
    EXPECT_EQ(broken.slug(), "internal");
    EXPECT_EQ(broken.json()["title"], row_of(ProblemKind::internal).title);
    EXPECT_EQ(broken.json()["instance"], "mine");
    EXPECT_EQ(broken.text.find("page not found"), std::string::npos) << "D3";
  }
  world.gateway->thrown.clear();
  EXPECT_EQ(world.post("/folders/", {{"name", "f"}}, {{"Idempotency-Key", "again"}}).status, 201)
      << "its key is released";
  const Reading metrics = world.get("/metrics");
  EXPECT_NE(metrics.text.find("parley_http_exceptions_total 2\n"), std::string::npos);
  EXPECT_NE(metrics.text.find(R"({method="POST",route="/folders",status="5xx"} 2)"), std::string::npos);
}

TEST(Operations, give_metrics_that_name_templates_and_never_ids) {
  ResultWorld world;
  (void)world.get("/runs/" + world.run);
  (void)world.get("/nope");
  const Reading metrics = world.get("/metrics", {{"Accept", "text/plain;version=0.0.4, */*;q=0.1"}});
  EXPECT_EQ(metrics.status, 200);
  EXPECT_NE(
      metrics.text.find(R"(parley_http_requests_total{method="GET",route="/runs/{id}",status="2xx"} 1)"),
      std::string::npos);
  EXPECT_NE(metrics.text.find(R"(parley_http_requests_total{method="-",route="-",status="4xx"} 1)"),
            std::string::npos);
  EXPECT_EQ(metrics.text.find(world.run), std::string::npos);
}

TEST(Operations, describe_every_route_in_openapi) {
  ApiWorld world;
  const Json document = world.get("/openapi.json").json();
  EXPECT_EQ(document["openapi"], "3.1.0");
  EXPECT_TRUE(
      document["paths"]["/test-results/{id}/conversation/{message_id}"]["patch"].contains("requestBody"));
  EXPECT_EQ(document["components"]["schemas"]["RunBody"]["required"], Json({"scenario", "status", "agent"}));
  EXPECT_FALSE(document["components"]["schemas"]["ApiKey"]["properties"].contains("hash"));
}

TEST(Operations, are_not_ready_until_the_program_is) {
  ApiOptions options;
  bool is_ready = false;
  options.is_ready = [&] { return is_ready; };
  ApiWorld world(options);
  EXPECT_EQ(world.get("/readyz").status, 503);
  is_ready = true;
  EXPECT_EQ(world.get("/readyz").status, 200);
}

TEST(Operations, report_the_configured_models) {
  ApiOptions options;
  for (const bool has : {false, true}) {
    options.has_tester_model = has;
    options.has_judge_model = !has;
    ApiWorld world(options);
    EXPECT_EQ(world.get("/version").json()["models"], Json({{"tester", has}, {"judge", !has}}));
  }
}

TEST(Api, renders_framing_faults_as_problems_D14) {
  ApiWorld world;
  const Response response = world.api->render_fault(framing_fault(ProblemKind::body_too_large, "send less"));
  EXPECT_EQ(response.status, 413);
  const Json body = Json::parse(response.body);
  EXPECT_EQ(body["type"], "/problems/body-too-large");
  EXPECT_EQ(body["detail"], "send less");
}

}  // namespace
}  // namespace parley::http
