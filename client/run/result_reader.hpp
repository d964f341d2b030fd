#pragma once
/// Converts a result of the server into a row of the report. Pure; any thread.

#include <map>
#include <string>

#include "client/report/report.hpp"
#include "model/json/json.hpp"

namespace parley::client {

/// What a suite file says about a test record.
struct NamedTest {
  std::string key;
  std::string name;
  std::string scenario;
  std::optional<std::string> variant;
  std::string fields = "{}";
  std::string file;
  std::int64_t line = 0;
  std::string record = {};  ///< key of the record; for a variant it is longer than `key`
};

/// Names by record id. For ids that are missing here, the server's name is used.
struct NameBook {
  std::map<std::string, NamedTest> tests;
  std::map<std::string, std::string> agents;
  std::map<std::string, std::string> personas;
};

/// The cost and the calls of the models for tester and judge, which the row does not contain.
struct ModelCalls {
  double tester_usd = 0;
  double judge_usd = 0;
  std::int64_t judge_asked = 0;
  std::int64_t judge_kept = 0;
  std::int64_t tester_asked = 0;
  std::int64_t tester_kept = 0;
};

struct ReadResult {
  ResultRow row;
  ModelCalls calls;
};

/// Numbers the results of a run within their test and persona, from 1, in reading order. A result that a retry
/// replaced gets the same number as its replacement.
class RepetitionCounter {
 public:
  std::int64_t operator()(const json::Value& result);

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> counts_;
};

/// `repetition` is the number of the case within its test. Transcripts of passed cases are kept only with
/// `keeps_transcript`.
struct ReadingOptions {
  std::int64_t repetition = 1;
  bool keeps_transcript = false;
};
[[nodiscard]] ReadResult read_result(const json::Value& result, const NameBook& names,
                                     const ReadingOptions& options);

/// Returns the state of a complete result, by the rule of the release gate. A result says something about the agent
/// only if it is completed and valid, and all its musts are decided.
[[nodiscard]] CaseState state_of(const json::Value& result);

}  // namespace parley::client
