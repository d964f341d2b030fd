// Query parameters of all operations: which there are, and what happens to the others (D5, D6).

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Queries, are_refused_for_unknown_parameters_where_the_client_asks_for_it_D5_D6) {
  ApiWorld world;
  const Headers strict{{"Prefer", "handling=strict"}};
  world.made("/scenarios", {{"name", "s"}});
  const std::string misspelt = "/scenarios?Folder=x&name=s&nmae=x&page=1";
  EXPECT_EQ(world.get(misspelt).json()["total"], 1);
  const Reading refused = world.get(misspelt, strict);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.slug(), "invalid-parameter");
  std::vector<std::string> named;
  const Json problem = refused.json();
  for (const Json& fault : problem["errors"]) named.push_back(fault["parameter"]);
  EXPECT_EQ(named, (std::vector<std::string>{"Folder", "nmae"}));
  EXPECT_EQ(world.post("/scenarios?archived=true", Json::object(), strict).status, 400);
  EXPECT_EQ(world.get("/runs?status=completed&scheduled=true&sortBy=status&archived=true", strict).status,
            200);
  EXPECT_EQ(world.get("/healthz?probe=1", strict).status, 200) << "what needs no key has no strict handling";
}

}  // namespace
}  // namespace parley::http
