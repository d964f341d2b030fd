// GET /trends: which tests were edited between one run and the next.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

class Trends : public ::testing::Test {
 protected:
  /// A run with one result of the test per instruction.
  std::string played(const std::vector<std::string>& instructions, const std::string& test,
                     const std::string& agent = "") {
    world.clock.advance(1'000);
    parley::Run run;
    run.stamp = {world.next_id(), world.clock.now(), 0};
    run.scenario = {*id_from_text(world.scenario)};
    run.agent = {*id_from_text(agent.empty() ? world.agent : agent)};
    world.put(run);
    for (const std::string& instruction : instructions) add(run.stamp.id, instruction, test);
    return to_text(run.stamp.id);
  }
  void add(const Id& run, const std::string& instruction, const std::string& test, bool is_retired = false) {
    ResultSpec spec;
    spec.head.run = Ref<RecordKind::run>{run};
    spec.head.test = Ref<RecordKind::test>{*id_from_text(test)};
    spec.head.status = ResultStatus::canceled;
    if (is_retired) spec.head.retired_by = world.scenario;
    spec.test_case.instruction = instruction;
    world.result(std::move(spec));
  }
  std::string a_test(const std::string& name) {
    return world.made("/tests", {{"scenario", world.scenario}, {"name", name}, {"instruction", "say: hi"}});
  }
  /// For each run of the answer, the names of the edited tests.
  Json edited(const std::string& query = "") {
    const Json answer = world.get("/trends?scenario=" + world.scenario + query).json();
    Json all = Json::array();
    for (const Json& run : answer.at("runs")) {
      Json names = run.at("edited").is_null() ? Json() : Json::array();
      for (const Json& test : run.at("edited")) names.push_back(test.at("name"));
      all.push_back(names);
    }
    return all;
  }

  ResultWorld world;  ///< has a run without results
};

TEST_F(Trends, name_the_tests_whose_case_is_another_one_than_in_the_run_before) {
  const std::string other = a_test("other");
  add(*id_from_text(played({"say: hi"}, world.test)), "say: a", other);
  add(*id_from_text(played({"say: hi"}, world.test)), "say: a", other);
  add(*id_from_text(played({"say: hello"}, world.test)), "say: a", other);
  add(*id_from_text(played({"say: hello"}, world.test)), "say: b", other);
  EXPECT_EQ(edited(), Json::parse(R"([[], [], [], ["t"], ["other"]])"));
}

TEST_F(Trends, compare_a_test_with_the_last_run_that_played_it) {
  played({"say: hi"}, world.test);
  played({"say: a"}, a_test("other"));
  played({"say: hello"}, world.test);
  EXPECT_EQ(edited(), Json::parse(R"([[], [], [], ["t"]])"));
}

TEST_F(Trends, compare_the_oldest_run_with_the_one_before_the_answer) {
  played({"say: hi"}, world.test);
  played({"say: hello"}, world.test);
  EXPECT_EQ(edited("&limit=1"), Json::parse(R"([["t"]])"));
  EXPECT_EQ(world.get("/trends?limit=1").json().at("runs").size(), 1U);
}

/// The results of many other runs may lie between a run and the retry of its only result.
TEST_F(Trends, find_the_case_also_where_the_first_result_was_replaced) {
  played({"say: hi"}, world.test);
  const Id run = *id_from_text(played({}, world.test));
  add(run, "say: hello", world.test, true);
  played(std::vector<std::string>(9, "say: hello"), world.test);
  add(run, "say: hello", world.test);
  EXPECT_EQ(edited(), Json::parse(R"([[], [], ["t"], []])"));
}

TEST_F(Trends, of_other_agents_do_not_count_where_the_answer_is_filtered) {
  const std::string other = world.made("/agents", {{"name", "b"}, {"type", "EXTERNAL"}});
  played({"say: hi"}, world.test);
  played({"say: hello"}, world.test, other);
  played({"say: hi"}, world.test);
  EXPECT_EQ(edited(), Json::parse(R"([[], [], ["t"], ["t"]])"));
  EXPECT_EQ(edited("&agent=" + world.agent), Json::parse("[[], [], []]"));
}

/// Many runs have many tests to read.
TEST_F(Trends, of_many_runs_are_read_in_the_background) {
  for (int i = 0; i < 3; ++i) played({"say: hi"}, world.test);
  world.gateway->background_problem = problem(ProblemKind::busy, "send less");
  EXPECT_EQ(world.get("/trends").status, 503);
  EXPECT_EQ(world.get("/trends?limit=1").status, 200);
}

}  // namespace
}  // namespace parley::http
