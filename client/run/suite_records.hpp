#pragma once
/// The records of a suite on a server: applying the files, and the ids of what they made.

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
  bool overrides = true;      ///< what was edited on the server since is replaced
  bool keeps_others = false;  ///< records that left the files are not archived
};
/// The answer of POST /apply. Problem: what the server refuses, with places of the files.
[[nodiscard]] Expected<json::Document> apply_with(Api& api, const CompiledSuite& suite,
                                                  const ApplyOptions& options);
/// `2 created, 1 updated`; empty: nothing changes.
[[nodiscard]] std::string changes_in(const json::Value& answer);

/// Applies the suite (POST /apply). What was edited on the server since is replaced: the files own their records, and
/// nothing else edits the local data. Problem: what the server refuses; its pointers are those of the apply document.
[[nodiscard]] Expected<Done> apply_suite(Api& api, const CompiledSuite& suite);
/// The same without writing: what differs, in words; empty: the server has what the files say.
[[nodiscard]] Expected<std::string> difference_of(Api& api, const CompiledSuite& suite);
/// Reads the ids. Problem `not_found`: a record of the suite is not on the server.
[[nodiscard]] Expected<SuiteRecords> records_of(Api& api, const CompiledSuite& suite);
/// The name without that of the variant, which reports keep apart.
[[nodiscard]] std::string plain_name(const CompiledTest& test);
/// The key that reports show: a variant has its test's, a row of data is a test of its own.
[[nodiscard]] const std::string& reported_key(const CompiledTest& test);
/// The test of the suite that the row is a result of; null: the suite has none.
[[nodiscard]] const CompiledTest* test_of(const CompiledSuite& suite, const ResultRow& row);
/// The place of a server's fault in the files; null where no file has it.
[[nodiscard]] const FilePlace* place_in_files(const CompiledSuite& suite, std::string pointer);
/// The same as text, `coffee.yaml:22:9`; the pointer itself where no file has it.
[[nodiscard]] std::string place_of_pointer(const CompiledSuite& suite, const std::string& pointer);

}  // namespace parley::client
