#include "http/ui_assets/ui_page.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "http/protocol/gzip.hpp"
#include "http/ui_assets/ui_assets.hpp"
#include "tests/http/support/api_world.hpp"

namespace parley::http {
namespace {

ApiOptions at_base(std::string path) {
  ApiOptions options;
  options.base_path = std::move(path);
  return options;
}

const UiAsset& script() {
  const auto all = ui_assets();
  return *std::find_if(all.begin(), all.end(), [](const UiAsset& each) {
    return each.name.starts_with("main-") && each.name.ends_with(".js");
  });
}

TEST(UiPage, needs_no_key_and_allows_its_own_files_only) {
  ApiWorld world;
  world.key = "";
  for (const char* path : {"/ui/", "/ui/runs/x", "/ui/results/a...b"}) {
    const Reading reading = world.get(path);
    EXPECT_EQ(reading.status, 200) << path;
    const std::string& policy = reading.headers.at("Content-Security-Policy");
    EXPECT_NE(policy.find("default-src 'none'"), std::string::npos);
    EXPECT_NE(policy.find("require-trusted-types-for 'script'"), std::string::npos);
    EXPECT_EQ(policy.find("unsafe"), std::string::npos);
    EXPECT_EQ(reading.headers.at("Cache-Control"), "no-cache");
    EXPECT_EQ(reading.headers.at("Cross-Origin-Opener-Policy"), "same-origin");
    EXPECT_EQ(reading.headers.at("Referrer-Policy"), "no-referrer");
  }
  EXPECT_EQ(world.get("/").status, 302);
  EXPECT_EQ(world.get("/").headers.at("Location"), "/ui/");
  EXPECT_EQ(world.get("/uix").status, 401) << "the API does not become public";
}

TEST(UiPage, puts_the_base_path_before_every_address) {
  ApiWorld world(at_base("/qa"));
  world.key = "";
  EXPECT_EQ(world.get("/qa").headers.at("Location"), "/qa/ui/");
  const std::string document = world.get("/qa/ui/runs").text;
  EXPECT_NE(document.find("/qa/ui/assets/main-"), std::string::npos);
  EXPECT_EQ(document.find("@BASE@"), std::string::npos);
  EXPECT_EQ(world.get("/ui/").status, 401);
}

TEST(UiPage, caches_a_hashed_file_indefinitely_and_answers_304) {
  ApiWorld world;
  world.key = "";
  const std::string path = "/ui/assets/" + std::string(script().name);
  const Reading plain = world.get(path);
  EXPECT_EQ(plain.status, 200);
  EXPECT_EQ(plain.text, unpacked(script())) << "a client without gzip gets the plain file";
  EXPECT_EQ(plain.headers.at("Cache-Control"), "public, max-age=31536000, immutable");
  const Reading packed = world.get(path, {{"Accept-Encoding", "gzip"}});
  EXPECT_EQ(packed.headers.at("Content-Encoding"), "gzip");
  EXPECT_EQ(packed.text, script().gzip);
  EXPECT_EQ(world.get(path, {{"If-None-Match", packed.headers.at("ETag")}}).status, 304);
}

TEST(UiPage, answers_404_for_a_file_that_it_does_not_have) {
  ApiWorld world;
  world.key = "";
  for (const char* path :
       {"/ui/assets/main-OLDHASH0.js", "/ui/assets/", "/ui/assets/../main.js", "/ui/favicon.ico"})
    EXPECT_EQ(world.get(path).status, 404) << path;
}

TEST(UiPage, takes_no_other_method) {
  ApiWorld world;
  world.key = "";
  const Reading reading = world.call("POST", "/ui/runs", "{}");
  EXPECT_EQ(reading.status, 405);
  EXPECT_EQ(reading.headers.at("Allow"), "GET, HEAD, OPTIONS");
}

}  // namespace
}  // namespace parley::http
