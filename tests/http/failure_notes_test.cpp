// Notes of failure groups over HTTP: PUT /runs/{id}/failures/{signature}/note.

#include <gtest/gtest.h>

#include "tests/http/support/result_world.hpp"

namespace parley::http {
namespace {

class FailureNotes : public ::testing::Test {
 protected:
  FailureNotes() {
    ResultSpec spec;
    spec.head.run = Ref<RecordKind::run>{*id_from_text(world.run)};
    spec.head.status = ResultStatus::failed;
    spec.head.error = json::Text{R"({"source":"agent","code":"connect","detail":"refused by port 81"})"};
    world.result(std::move(spec));
    signature = group().at("signature").get<std::string>();
  }
  Json group() { return world.get(failures).json().at("groups").at(0); }
  Reading put(const Json& body) {
    return world.call("PUT", failures + "/" + signature + "/note", body.dump());
  }

  ResultWorld world;
  std::string failures = "/runs/" + world.run + "/failures";
  std::string signature;
};

TEST_F(FailureNotes, are_shown_with_the_group_until_they_are_removed) {
  EXPECT_EQ(group().at("note"), Json());
  const Reading set = put({{"note", "the shop's agent is down"}});
  EXPECT_EQ(set.status, 200) << set.text;
  EXPECT_EQ(set.json(), (Json{{"note", "the shop's agent is down"}}));
  EXPECT_EQ(group().at("note"), "the shop's agent is down");
  EXPECT_EQ(put({{"note", nullptr}}).json(), (Json{{"note", nullptr}}));
  EXPECT_EQ(group().at("note"), Json());
}

TEST_F(FailureNotes, change_the_tag_of_the_groups) {
  const std::string before = world.get(failures).headers.at("ETag");
  put({{"note", "known"}});
  EXPECT_EQ(world.call("GET", failures, "", {{"If-None-Match", before}}).status, 200);
}

TEST_F(FailureNotes, have_at_most_4_KiB) {
  EXPECT_EQ(put({{"note", std::string(4096, 'x')}}).status, 200);
  EXPECT_EQ(put({{"note", std::string(4097, 'x')}}).status, 400);
  EXPECT_EQ(put({{"note", 7}}).status, 400);
}

TEST_F(FailureNotes, need_a_group_of_the_run) {
  for (const std::string unknown : {"0000000000000000", "9f2c", "nobody"}) {
    const Reading reading = world.call("PUT", failures + "/" + unknown + "/note", R"({"note":"x"})");
    EXPECT_EQ(reading.status, 404) << unknown << reading.text;
  }
}

/// A large run has many results to search.
TEST_F(FailureNotes, look_for_the_group_in_the_background) {
  world.gateway->background_problem = problem(ProblemKind::busy, "send less");
  EXPECT_EQ(put({{"note", "x"}}).status, 503);
}

TEST_F(FailureNotes, are_decided_again_after_another_writer) {
  world.gateway->between = [this] { put({{"note", "theirs"}}); };
  EXPECT_EQ(put({{"note", "mine"}}).status, 200);
  EXPECT_EQ(group().at("note"), "mine");
}

}  // namespace
}  // namespace parley::http
