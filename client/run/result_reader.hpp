#pragma once
/// A result of the server as a row of the report. Pure; any thread.

#include <map>
#include <string>

#include "client/report/report.hpp"
#include "model/json/json.hpp"

namespace parley::client {

/// A suite's data on a test record.
struct NamedTest {
  std::string key;
  std::string name;
  std::string scenario;
  std::optional<std::string> variant;
  std::string fields = "{}";
  std::string file;
  std::int64_t line = 0;
  std::string record = {};  ///< key of the record: that of a variant is longer than `key`
};

/// Names by id. The server's name is used for a record that is missing here.
struct NameBook {
  std::map<std::string, NamedTest> tests;
  std::map<std::string, std::string> agents;
  std::map<std::string, std::string> personas;
};

/// The costs and calls of the models that played and judged, in addition to the row.
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

/// Numbers the results of a run within their test and persona, from 1, in the order in which they are read. A result that a retry
/// replaced has the number of the one that replaced it.
class RepetitionCounter {
 public:
  std::int64_t operator()(const json::Value& result);

 private:
  std::map<std::pair<std::string, std::string>, std::int64_t> counts_;
};

/// `repetition` is the number of the case within its test. The transcript is kept for what did not pass, or always.
struct ReadingOptions {
  std::int64_t repetition = 1;
  bool keeps_transcript = false;
};
[[nodiscard]] ReadResult read_result(const json::Value& result, const NameBook& names,
                                     const ReadingOptions& options);

/// The state that a whole result shows (the rule of the release gate): only one that is completed, valid and with all
/// musts decided is a statement about the agent.
[[nodiscard]] CaseState state_of(const json::Value& result);

}  // namespace parley::client
