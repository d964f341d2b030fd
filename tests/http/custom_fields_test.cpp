// Tags, scenario configurations, and the custom fields of scenarios and tests (D20, D22).

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

Json condition(const std::string& field, const std::string& op) {
  return {{"field", field}, {"op", op}};
}

Json with(Json object, const std::string& key, const Json& value) {
  object[key] = value;
  return object;
}

TEST(Tags, are_found_only_by_a_part_of_their_name_D24) {
  ApiWorld world;
  (void)world.made("/tags/", {{"name", "say \"hi\" \xc3\xbc"}, {"color", "name: hello"}});
  for (const char* part : {"%22hi%22", "%C3%BC", "say"})
    EXPECT_EQ(world.get("/tags/?name=" + std::string(part)).json()["total"], 1) << part;
  for (const char* part : {"hello", "%5C", "name"})
    EXPECT_EQ(world.get("/tags/?name=" + std::string(part)).json()["total"], 0) << part;
}

TEST(Tags, name_every_fault_of_a_rule_D20) {
  ApiWorld world;
  struct Row {
    Json body;
    std::vector<std::string> faults;
  };
  const auto rule = [](const Json& one) { return Json{{"rule", {{"conditions", {one}}}}}; };
  const std::string at = "/rule/conditions/0";
  const std::vector<Row> rows{
      {{{"isSmart", true}}, {"/rule"}},
      {{{"rule", Json::object()}}, {"/rule/conditions"}},
      {{{"rule", {{"match", "some"}, {"conditions", Json::array()}}}}, {"/rule/conditions", "/rule/match"}},
      {rule(condition("content", "contains")), {at + "/value"}},
      {rule(with(condition("content", "equals"), "value", 1)), {at + "/value"}},
      {rule(with(condition("description", "regex"), "value", "(")), {at + "/value"}},
      {rule(with(condition("metadata", "exists"), "pointer", "a/b")), {at + "/pointer"}},
      {rule(with(condition("content", "exists"), "pointer", "/a")), {at + "/pointer"}},
      {rule(with(condition("metadata", "exists"), "value", "x")), {at + "/value"}},
      {rule(condition("nothing", "is")), {at + "/field", at + "/op", at + "/value"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.post("/tags/", row.body);
    EXPECT_EQ(reading.status, 400) << row.body.dump();
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump() << reading.text;
  }
}

TEST(Tags, are_read_back_as_they_were_made_D20) {
  ApiWorld world;
  const Json rule{
      {"match", "all"},
      {"conditions", {with(with(condition("metadata", "equals"), "pointer", "/n"), "value", 1.0)}}};
  const Json made =
      world.post("/tags/", {{"name", "slow"}, {"color", "#f00"}, {"isSmart", true}, {"rule", rule}}).json();
  EXPECT_EQ(made["rule"], rule);
  EXPECT_EQ(made["isSmart"], true);
  EXPECT_EQ(world.get("/tags/" + made["id"].get<std::string>()).json(), made);
  EXPECT_EQ(world.get("/tags/?name=slo").json()["total"], 1);
  const Json short_rule{{"match", "any"}, {"conditions", {condition("description", "exists")}}};
  EXPECT_EQ(world.post("/tags/", {{"name", "told"}, {"isSmart", true}, {"rule", short_rule}}).json()["rule"],
            short_rule);
}

/// A scenario whose configuration requires a city, has a size with a default, and requires a color for tests.
struct Configured {
  explicit Configured(ApiWorld& world) {
    const Json city{{"key", "city"}, {"type", "string"}, {"required", true}};
    const Json size{{"key", "size"}, {"type", "select"}, {"options", {"s", "m"}}, {"default", "m"}};
    const Json color{{"key", "color"}, {"type", "string"}, {"required", true}};
    configuration =
        world.made("/scenario-configurations/", {{"scenarioFields", {city, size}}, {"testFields", {color}}});
    scenario = world.made("/scenarios/", {{"configuration", configuration}, {"fields", {{"city", "Rome"}}}});
  }
  std::string configuration, scenario;
};

TEST(Fields, of_scenarios_and_tests_follow_the_configuration_D22) {
  ApiWorld world;
  const Configured made(world);
  const std::string test =
      world.made("/tests/", {{"scenario", made.scenario}, {"fields", {{"color", "red"}}}});
  struct Row {
    std::string method, target;
    Json body;
    std::vector<std::string> faults;
  };
  const Json scenario_body{{"configuration", made.configuration}};
  const std::vector<Row> rows{
      {"POST", "/scenarios/", scenario_body, {"/fields/city"}},
      {"POST",
       "/scenarios/",
       with(scenario_body, "fields", {{"city", 1}, {"x", 1}}),
       {"/fields/city", "/fields/x"}},
      {"PATCH",
       "/scenarios/" + made.scenario,
       {{"fields", {{"size", "xl"}}}},
       {"/fields/city", "/fields/size"}},
      {"POST", "/tests/", {{"scenario", made.scenario}}, {"/fields/color"}},
      {"PATCH", "/tests/" + test, {{"fields", {{"color", true}}}}, {"/fields/color"}},
      {"PATCH", "/tests/" + test, {{"fields", Json::object()}}, {"/fields/color"}},
  };
  for (const Row& row : rows) {
    const Reading reading = world.call(row.method, row.target, row.body.dump());
    EXPECT_EQ(reading.status, 400) << row.body.dump();
    EXPECT_EQ(reading.faults(), row.faults) << row.body.dump();
  }
  EXPECT_EQ(world.post("/tests/", {{"scenario", made.scenario}, {"parentTest", test}}).status, 201)
      << "a variant's parent gives the value";
  const std::string free = world.made("/scenarios/", {{"fields", {{"anything", {1, 2}}}}});
  EXPECT_EQ(world.patch("/scenarios/" + free, {{"configuration", made.configuration}}).faults(),
            (std::vector<std::string>{"/fields/anything", "/fields/city"}));
}

TEST(Fields, are_in_the_case_with_defaults_and_a_variant_over_its_parent_D22) {
  ApiWorld world;
  const Configured made(world);
  const std::string agent = world.made("/agents/", {{"name", "a"}});
  const std::string parent =
      world.made("/tests/", {{"scenario", made.scenario},
                             {"instruction", "say: {{city}} {{size}} {{color}} {{none}}"},
                             {"fields", {{"color", "red"}}}});
  const std::string variant = world.made(
      "/tests/", {{"scenario", made.scenario}, {"parentTest", parent}, {"fields", {{"color", "blue"}}}});
  const auto instruction_of = [&](const std::string& test) {
    EXPECT_EQ(world.post("/test-results/", {{"agent", agent}, {"test", test}}).status, 201);
    return world.gateway->previews.back().test_case.instruction;
  };
  EXPECT_EQ(instruction_of(parent), "say: Rome m red {{none}}");
  EXPECT_EQ(instruction_of(variant), "say: Rome m blue {{none}}");
  EXPECT_EQ(world.patch("/tests/" + variant, {{"fields", {{"color", nullptr}}}}).status, 200);
  EXPECT_EQ(instruction_of(variant), "say: Rome m red {{none}}") << "null counts as absent (D5)";
}

TEST(Fields, of_the_scenario_take_precedence_over_a_default_of_its_tests_D22) {
  ApiWorld world;
  const Json city{{"key", "city"}, {"type", "string"}};
  Json with_default = city;
  with_default["default"] = "Rome";
  const std::string configuration =
      world.made("/scenario-configurations/",
                 {{"name", "c"}, {"scenarioFields", {city}}, {"testFields", {with_default}}});
  const std::string scenario = world.made(
      "/scenarios/", {{"name", "s"}, {"configuration", configuration}, {"fields", {{"city", "Oslo"}}}});
  const std::string agent = world.made("/agents/", {{"name", "a"}});
  const auto said = [&](const Json& fields) {
    const std::string test =
        world.made("/tests/", {{"scenario", scenario}, {"instruction", "say: {{city}}"}, {"fields", fields}});
    EXPECT_EQ(world.post("/test-results/", {{"agent", agent}, {"test", test}}).status, 201);
    return world.gateway->previews.back().test_case.instruction;
  };
  EXPECT_EQ(said(Json::object()), "say: Oslo");
  EXPECT_EQ(said({{"city", "Bern"}}), "say: Bern");
}

TEST(ScenarioConfigurations, name_every_fault_of_their_fields_D20) {
  ApiWorld world;
  const Json twice{{"key", "a"}, {"type", "string"}};
  const Json select{{"key", "b"}, {"type", "select"}};
  const Json wrong{{"key", "c"}, {"type", "number"}, {"default", "1"}};
  const Reading reading =
      world.post("/scenario-configurations/",
                 {{"scenarioFields", {twice, twice, select}}, {"testFields", {wrong, {{"type", "date"}}}}});
  EXPECT_EQ(reading.faults(),
            (std::vector<std::string>{"/scenarioFields/1/key", "/scenarioFields/2/options",
                                      "/testFields/0/default", "/testFields/1/key", "/testFields/1/type"}));
}

}  // namespace
}  // namespace parley::http
