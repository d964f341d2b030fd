#pragma once
/// The records of a suite on a server: applies the files, and reads the ids of the records.

#include <map>
#include <string>

#include "client/remote/api.hpp"
#include "client/run/result_reader.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// Ids by key.
struct SuiteRecords {
  std::map<std::string, std::string> agents;
  std::map<std::string, std::string> personas;
  std::map<std::string, std::string> scenarios;
  std::map<std::string, std::string> tests;
  NameBook names;
};

struct ApplyOptions {
  bool is_dry = false;
  bool overrides = true;      ///< replaces later edits made on the server
  bool keeps_others = false;  ///< does not archive records that were removed from the files
};
/// The answer of POST /apply. Problem: the server's refusal, with places in the files.
[[nodiscard]] Expected<json::Document> apply_with(Api& api, const CompiledSuite& suite,
                                                  const ApplyOptions& options);
/// `2 created, 1 updated`; empty: nothing changes.
[[nodiscard]] std::string changes_in(const json::Value& answer);

/// Applies the suite (POST /apply). Later edits made on the server are replaced: the files own their records, and
/// nothing else edits the local data. Problem: the server's refusal; its pointers are those of the apply document.
[[nodiscard]] Expected<Done> apply_suite(Api& api, const CompiledSuite& suite);
/// The same without writing: the differences as text; empty: the server matches the files.
[[nodiscard]] Expected<std::string> difference_of(Api& api, const CompiledSuite& suite);
/// Reads the ids. Problem `not_found`: a record of the suite is not on the server.
[[nodiscard]] Expected<SuiteRecords> records_of(Api& api, const CompiledSuite& suite);
/// The name without that of the variant, which reports keep apart.
[[nodiscard]] std::string plain_name(const CompiledTest& test);
/// The key that reports show: a variant has its test's, a row of data is a separate test.
[[nodiscard]] const std::string& reported_key(const CompiledTest& test);
/// The test of the suite that the row is a result of; null: the suite has none.
[[nodiscard]] const CompiledTest* test_of(const CompiledSuite& suite, const ResultRow& row);
/// The place of a server's fault in the files; null if no file has it.
[[nodiscard]] const FilePlace* place_in_files(const CompiledSuite& suite, std::string pointer);
/// The same as text, `coffee.yaml:22:9`; the pointer itself if no file has it.
[[nodiscard]] std::string place_of_pointer(const CompiledSuite& suite, const std::string& pointer);

}  // namespace parley::client
