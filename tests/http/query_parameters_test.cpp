// Query parameters of all operations: which are known, and how unknown ones are treated (D5, D6).

#include <gtest/gtest.h>

#include <set>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Lists, are_sorted_by_the_fields_that_the_document_names_and_by_no_other_D6) {
  ApiWorld world;
  const Json paths = world.get("/openapi.json").json()["paths"];
  int lists = 0;
  for (const auto& [path, item] : paths.items()) {
    if (path.find('{') != std::string::npos || !item.contains("get")) continue;
    for (const Json& parameter : item["get"]["parameters"]) {
      if (parameter.value("name", "") != "sortBy") continue;
      ++lists;
      for (const std::string name : parameter["schema"]["enum"])
        EXPECT_EQ(world.get(path + "?sortBy=" + name).status, 200) << path << " " << name;
      // A record also has fields that lists cannot be sorted by: links, lists and objects.
      const auto taken = parameter["schema"]["enum"].get<std::set<std::string>>();
      const std::string row = item["get"]["responses"]["200"]["content"]["application/json"]["schema"]
                                  ["properties"]["data"]["items"]["$ref"];
      const Json schemas = world.get("/openapi.json").json()["components"]["schemas"];
      for (const auto& [field, schema] : schemas[row.substr(row.rfind('/') + 1)]["properties"].items()) {
        if (taken.contains(field)) continue;
        EXPECT_EQ(world.get(path + "?sortBy=" + field).status, 400) << path << " " << field;
      }
    }
  }
  EXPECT_GT(lists, 12);
}

TEST(Queries, are_refused_for_unknown_parameters_unless_handling_is_lenient_D99) {
  ApiWorld world;
  const Headers lenient{{"Prefer", "handling=lenient"}};
  world.made("/scenarios", {{"name", "s"}});
  const std::string misspelt = "/scenarios?Folder=x&name=s&nmae=x&page=1";
  EXPECT_EQ(world.get(misspelt, lenient).json()["total"], 1);
  const Reading refused = world.get(misspelt);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.slug(), "invalid-parameter");
  std::vector<std::string> named;
  const Json problem = refused.json();
  for (const Json& fault : problem["errors"]) named.push_back(fault["parameter"]);
  EXPECT_EQ(named, (std::vector<std::string>{"Folder", "nmae"}));
  EXPECT_EQ(problem["errors"][1]["detail"],
            "is not a parameter of this operation, which takes folder, createdBy, name, project, page, "
            "limit, sortBy, "
            "sortOrder, archived, output");
  EXPECT_EQ(world.post("/scenarios?archived=true", Json::object()).status, 400);
  EXPECT_EQ(world.get("/runs?status=completed&scheduled=true&sortBy=status&archived=true").status, 200);
  EXPECT_EQ(world.get("/healthz?probe=1").status, 200) << "operations without a key take any parameter";
}

TEST(Queries, of_more_than_32_parameters_are_refused_with_the_first_one_too_many_D3) {
  ApiWorld world;
  std::string query = "/scenarios?";
  for (int i = 1; i <= 32; ++i) query += "a" + std::to_string(i) + "=1&";
  const Headers lenient{{"Prefer", "handling=lenient"}};
  EXPECT_EQ(world.get(query, lenient).status, 200);
  const Reading refused = world.get(query + "page=1&limit=7", lenient);
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(refused.slug(), "invalid-parameter");
  EXPECT_EQ(refused.json()["detail"], "page is one parameter too many; send at most 32");
  EXPECT_EQ(
      refused.json()["errors"],
      Json::parse(R"([{"parameter": "page", "detail": "is one parameter too many; send at most 32"}])"));
}

TEST(Queries, report_the_empty_name_as_a_parameter_and_not_as_the_body_D3) {
  ApiWorld world;
  const Reading refused = world.get("/runs/x?=x");
  EXPECT_EQ(refused.status, 400);
  EXPECT_EQ(
      refused.json()["errors"],
      Json::parse(
          R"([{"parameter": "", "detail": "is not a parameter of this operation, which takes none"}])"));
}

}  // namespace
}  // namespace parley::http
