// The documentation and the schema are generated from the table of keys.
#include "client/suite/file_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "client/suite/compiled_suite.hpp"
#include "client/suite/suite_examples.hpp"
#include "client/suite/suite_schema.hpp"
#include "model/json/json.hpp"

namespace parley::client {
namespace {

using ::testing::HasSubstr;

std::string content_of(const std::string& path) {
  std::ifstream in(std::string(PARLEY_SOURCE_DIR) + "/" + path);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

TEST(FileKeys, are_those_of_the_documentation) {
  const std::string tables = suite_key_tables();
  EXPECT_THAT(content_of("docs/reference/suite-file.md"),
              HasSubstr(tables.substr(0, tables.find_last_not_of('\n'))));
}

TEST(FileKeys, are_those_of_the_schema) {
  const std::string text = suite_schema();
  const auto schema = json::parse(text);
  ASSERT_TRUE(schema.ok());
  for (const FileSection* section : file_sections()) {
    const auto properties =
        json::at_pointer(schema->root(), "/definitions/" + std::string(section->name) + "/properties");
    ASSERT_TRUE(properties) << section->name;
    for (const FileKey& key : section->keys) {
      const auto property = properties->find(key.name);
      ASSERT_TRUE(property) << key.name;
      // The reader refuses an empty text.
      EXPECT_EQ(property->find("minLength").has_value(), key.shape == Shape::text) << key.name;
    }
    const bool has_types = section == &sections::assertion;
    if (!has_types) {
      EXPECT_EQ(properties->size(), section->keys.size()) << section->name;
    }
  }
}

TEST(SuiteExamples, are_valid) {
  const auto folder =
      std::filesystem::temp_directory_path() / ("parley-examples-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  for (const SuiteExample& example : suite_examples()) {
    std::ofstream(folder / "parley.yaml")
        << filled_example(example, {"coffee", std::string(example.usual_url), "x"});
    LoadOptions options;
    options.paths = {(folder / "parley.yaml").string()};
    const LoadedSuites loaded = load_suites(options);
    EXPECT_TRUE(loaded.faults.empty())
        << example.name << source::report_of(loaded.faults, source::FaultFormat::text);
    ASSERT_EQ(loaded.suites.size(), 1U) << example.name;
    EXPECT_EQ(loaded.suites[0].tests.size(), 2U);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace parley::client
