#include "http/router.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "http/openapi/schemas.hpp"
#include "http/protocol/percent.hpp"
#include "http/routes.hpp"

namespace parley::http {
namespace {

constexpr std::string_view id = "01890a5d-ac96-774b-bcce-b302099a8057";

TEST(Router, finds_a_path_with_and_without_a_slash_at_its_end_D1) {
  const Router router(routes());
  EXPECT_EQ(router.match("GET", "/runs").route, router.match("GET", "/runs/").route);
  ASSERT_NE(router.match("GET", "/runs").route, nullptr);
  EXPECT_EQ(router.match("GET", "/runs").route->operation, "listRuns");
}

TEST(Router, decodes_each_segment_once_after_splitting_F33) {
  const Router router(routes());
  EXPECT_EQ(router.match("GET", "/runs/a%2Fb").values, std::vector<std::string>{"a/b"});
  EXPECT_EQ(router.match("GET", "/runs/%252e").values, std::vector<std::string>{"%2e"});
  EXPECT_EQ(router.match("GET", "/ru%6es").route->operation, "listRuns");
  EXPECT_EQ(router.match("GET", "/runs/a+b").values, std::vector<std::string>{"a+b"});
}

TEST(Paths, have_one_spelling_for_all_that_name_the_same_D9) {
  const std::vector<std::pair<std::string, std::string>> rows{
      {"/%74ags/", "/tags/"}, {"/tags", "/tags"},     {"/%7Ea%2D_%2e9", "/~a-_.9"},
      {"/a%2fb", "/a%2Fb"},   {"/%c3%a4", "/%C3%A4"}, {"/100%", "/100%"},
      {"/%zz%4", "/%zz%4"},   {"/%2574", "/%2574"},   {"/a%20b", "/a%20b"}};
  for (const auto& [sent, normal] : rows) EXPECT_EQ(normal_path(sent), normal) << sent;
}

TEST(Router, finds_nothing_for_malformed_paths_F33) {
  const Router router(routes());
  for (const std::string_view path :
       {"/", "//", "/runs//", "//runs", "/runs/%zz", "/runs/%2", "/runs/%00", "/runs/%ff", "/runs/%c0%af",
        "/nope", "/runs/x/y/z", "*", "/runs/..", "/RUNS"}) {
    const Match match = router.match("GET", path);
    const bool is_run_id = path == "/runs/..";  // two dots are a valid path segment: an id that no run has
    EXPECT_EQ(match.route != nullptr, is_run_id) << path;
    if (!is_run_id) {
      EXPECT_EQ(match.methods, "") << path;
    }
  }
  EXPECT_EQ(router.match("GET", std::string(4000, '/')).route, nullptr);
}

TEST(Router, lists_the_methods_of_a_path_for_any_other_method) {
  const Router router(routes());
  const Match match = router.match("PUT", "/runs/" + std::string(id));
  EXPECT_EQ(match.route, nullptr);
  EXPECT_EQ(match.methods, "GET, HEAD, PATCH, DELETE, OPTIONS");
}

TEST(Router, treats_head_as_get) {
  const Router router(routes());
  EXPECT_EQ(router.match("HEAD", "/runs").route, router.match("GET", "/runs").route);
  EXPECT_EQ(router.match("HEAD", "/runs/x/cancel").route, nullptr);
}

TEST(Router, serves_below_a_base_path_only) {
  const Router router(routes(), "/parley/");
  EXPECT_NE(router.match("GET", "/parley/runs").route, nullptr);
  EXPECT_EQ(router.match("GET", "/runs").route, nullptr);
  EXPECT_EQ(router.match("GET", "/parleyruns").route, nullptr);
}

TEST(Router, treats_an_asterisk_as_the_whole_server) {
  const Match match = Router(routes(), "/parley").match("OPTIONS", "*");
  EXPECT_EQ(match.route, nullptr);
  for (const auto* method : {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}) {
    EXPECT_NE(match.methods.find(method), std::string::npos) << method;
  }
}

TEST(Router, prefers_a_literal_segment_to_a_parameter) {
  const std::array table{Route{.method = "GET", .path = "/a/{id}", .operation = "byId"},
                         Route{.method = "GET", .path = "/a/b", .operation = "literal"}};
  const Router router(table);
  EXPECT_EQ(router.match("GET", "/a/b").route->operation, "literal");
  EXPECT_EQ(router.match("GET", "/a/c").route->operation, "byId");
}

TEST(Routes, have_unique_operations_and_known_schemas) {
  std::set<std::string_view> names;
  for (const SchemaRow& row : schemas()) EXPECT_TRUE(names.insert(row.name).second) << row.name;
  const auto is_known = [](SchemaId type) {
    return !type || std::any_of(schemas().begin(), schemas().end(),
                                [&](const SchemaRow& row) { return row.type == type; });
  };
  std::set<std::string_view> operations;
  for (const Route& route : routes()) {
    EXPECT_TRUE(operations.insert(route.operation).second) << route.operation;
    EXPECT_TRUE(is_known(route.takes)) << route.path;
    EXPECT_TRUE(is_known(route.gives)) << route.path;
    EXPECT_EQ(static_cast<bool>(route.gives), route.form == Gives::one || route.form == Gives::page)
        << route.path;
  }
}

}  // namespace
}  // namespace parley::http
