#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "convert/convert.hpp"

namespace parley::convert {
namespace {

using testing::HasSubstr;

TEST(Recognition, reports_faults_of_json_and_yaml_instead_of_an_unknown_format) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "unknown";
  std::filesystem::create_directories(folder);
  const auto faults_of = [&](const std::string& name, const std::string& text) {
    const std::string path = (folder / name).string();
    std::ofstream(path) << text;
    Options options;
    options.format = "auto";
    options.paths = {path};
    return prepare(options).faults;
  };
  EXPECT_THAT(faults_of("a.json", R"({"messages": [{"role" "user"}]})"), HasSubstr("a.json:1:23: error: "));
  EXPECT_THAT(faults_of("a.jsonl", "{\"a\": 1}\n{\"a\" 2}\n"), HasSubstr("a.jsonl:2:6: error: "));
  EXPECT_THAT(faults_of("a.yaml", "a: [b\n"), HasSubstr("a.yaml:"));
  EXPECT_THAT(faults_of("b.json", R"({"a": 1})"), HasSubstr("no format is recognized"));
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parley::convert
