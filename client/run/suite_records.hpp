#pragma once
/// The records of a suite on a server: applies the files and reads the ids of the records.

#include <map>
#include <string>

#include "client/remote/api.hpp"
#include "client/run/result_reader.hpp"
#include "client/suite/compiled_suite.hpp"

namespace parley::client {

/// Record ids by key.
struct SuiteRecords {
  std::map<std::string, std::string> agents;
  std::map<std::string, std::string> personas;
  std::map<std::string, std::string> scenarios;
  std::map<std::string, std::string> tests;
  NameBook names;
};

struct ApplyOptions {
  bool is_dry = false;
  bool overrides = true;      ///< replace later edits made on the server
  bool keeps_others = false;  ///< do not archive records that were removed from the files
};
/// Returns the answer of POST /apply. Problem: the server refuses the suite; the text has places in the files.
[[nodiscard]] Expected<json::Document> apply_with(Api& api, const CompiledSuite& suite,
                                                  const ApplyOptions& options);
/// Summarizes the answer, such as `2 created, 1 updated`; empty if nothing changes.
[[nodiscard]] std::string changes_in(const json::Value& answer);

/// Applies the suite (POST /apply). In local data, edits made in the page are replaced, because the files own their
/// records; on a shared server, a caller disables `overrides`. Problem: the server refuses the suite; pointers refer to
/// the apply document.
[[nodiscard]] Expected<Done> apply_suite(Api& api, const CompiledSuite& suite,
                                         const ApplyOptions& options = {});
/// How the records of the server differ from the files.
struct Difference {
  std::string words;  ///< such as `1 to create, 2 edited on the server`; empty: the server matches the files
  bool has_edits = false;  ///< records were edited on the server since the files were applied
};
/// Compares without writing.
[[nodiscard]] Expected<Difference> difference_of(Api& api, const CompiledSuite& suite);
/// Reads the ids of the records. Problem `not_found`: a record of the suite is not on the server.
[[nodiscard]] Expected<SuiteRecords> records_of(Api& api, const CompiledSuite& suite);
/// Returns the name of the test without the variant, which reports show separately.
[[nodiscard]] std::string plain_name(const CompiledTest& test);
/// Returns the key that reports show. A variant has the key of its test; a row of data counts as a separate test.
[[nodiscard]] const std::string& reported_key(const CompiledTest& test);
/// Returns the test of the suite that the result belongs to; null if the suite does not have it.
[[nodiscard]] const CompiledTest* test_of(const CompiledSuite& suite, const ResultRow& row);
/// The place in the files for a fault that the server reports.
struct PlacedPointer {
  const FilePlace* place = nullptr;  ///< the closest part that has a place; null if none has
  std::string rest;                  ///< the JSON pointer below that part, without the first slash
};
[[nodiscard]] PlacedPointer place_in_files(const CompiledSuite& suite, const std::string& pointer);
/// Returns the place as text, `coffee.yaml:22:9`, or the suite file and the pointer if no place is known.
[[nodiscard]] std::string place_of_pointer(const CompiledSuite& suite, const std::string& pointer);

}  // namespace parley::client
