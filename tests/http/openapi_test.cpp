#include "http/openapi.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "http/routes.hpp"

namespace parley::http {
namespace {

nlohmann::json document() {
  return nlohmann::json::parse(openapi_json(routes(), "1.2.3", "/base"));
}

std::string lower(std::string_view text) {
  std::string made(text);
  for (char& c : made) c = static_cast<char>(std::tolower(c));
  return made;
}

TEST(OpenApi, holds_the_routes_and_nothing_else) {
  std::set<std::string> in_table, in_document;
  for (const Route& route : routes())
    in_table.insert(lower(route.method) + " " + std::string(route.path) + " " + std::string(route.operation));
  const nlohmann::json made = document();
  for (const auto& [path, item] : made.at("paths").items()) {
    for (const auto& [method, operation] : item.items())
      in_document.insert(method + " " + path + " " + operation.at("operationId").get<std::string>());
  }
  EXPECT_EQ(in_document, in_table);
  EXPECT_EQ(in_table.size(), routes().size()) << "no row stands twice";
}

TEST(OpenApi, says_which_operations_need_no_key_D82) {
  const nlohmann::json made = document();
  for (const Route& route : routes()) {
    const auto& operation = made.at("paths").at(std::string(route.path)).at(lower(route.method));
    EXPECT_EQ(operation.contains("security"), route.right == Right::none) << route.path;
    EXPECT_EQ(operation.at("responses").contains("401"), route.right != Right::none) << route.path;
  }
}

TEST(OpenApi, names_schemas_that_exist) {
  const nlohmann::json made = document();
  const auto& schemas = made.at("components").at("schemas");
  for (const Route& route : routes()) {
    for (const std::string_view name : {route.takes, route.gives}) {
      EXPECT_TRUE(name.empty() || schemas.contains(std::string(name))) << route.path << " " << name;
    }
  }
  EXPECT_EQ(made.at("servers").at(0).at("url"), "/base");
  EXPECT_EQ(made.at("info").at("version"), "1.2.3");
}

}  // namespace
}  // namespace parley::http
