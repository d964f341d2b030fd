// Agents over HTTP: what a check sends and reports, and how secrets are stored (D10, D23, D74).

#include <gtest/gtest.h>

#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

TEST(Agents, are_checked_under_the_callers_trace_D10_D74) {
  ApiWorld world;
  const std::string path = "/agents/" + world.made("/agents", {{"type", "DEMO"}}) + "/check";
  const std::string trace = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
  world.post(path, Json::object(), {{"traceparent", trace}});
  world.post(path);
  EXPECT_EQ(world.gateway->traces, (std::vector<std::string>{trace, ""}));
}

TEST(Agents, never_store_the_mask_D23) {
  ApiWorld world;
  const std::string id = world.made("/agents", {{"secrets", {{"a", "***"}, {"b", "x"}}}});
  EXPECT_EQ(world.get("/agents/" + id).json()["secrets"], Json({{"b", "***"}}));
  const Json patched = world.patch("/agents/" + id, {{"secrets", {{"b", "***"}, {"c", "***"}}}}).json();
  EXPECT_EQ(patched["secrets"], Json({{"b", "***"}})) << "an absent secret stays absent";
}

}  // namespace
}  // namespace parley::http
