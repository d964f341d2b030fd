#pragma once
/// Example suites for `parley init --example NAME`. Constants and pure functions; any thread.

#include <span>
#include <string>
#include <string_view>

namespace parley::client {

struct ExampleFile {
  std::string_view name;
  std::string_view text;
};

struct SuiteExample {
  std::string_view name;
  std::string_view summary;
  std::string_view text;       ///< text of parley.yaml, with @PROJECT@ and @URL@
  std::string_view usual_url;  ///< default URL; empty: the example has no URL
  std::span<const ExampleFile> files = {};
};

[[nodiscard]] std::span<const SuiteExample> suite_examples();
/// Returns null if the example does not exist.
[[nodiscard]] const SuiteExample* find_example(std::string_view name);

struct ExampleValues {
  std::string project;
  std::string url;
  std::string schema;  ///< path to the JSON Schema
};
/// Returns the text of parley.yaml, with the line that points editors to the schema.
[[nodiscard]] std::string filled_example(const SuiteExample& example, const ExampleValues& values);

}  // namespace parley::client
