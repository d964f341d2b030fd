#pragma once
/// The outcome of a run for every reporter, the gate and `parley report`: plain values with the field names of the
/// JSON document (docs/reference/report.md). Any thread.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "scoring/statistics.hpp"

namespace parley::client {

/// The effect of an assertion on a result.
enum class AssertionLevel : std::uint8_t { must, should, could };

/// The outcome of a case. Only passed and failed say something about the agent.
enum class CaseState : std::uint8_t { passed, failed, undecided, fault, canceled, missing };

struct AssertionRow {
  std::string id;
  std::string name;
  std::string type;
  AssertionLevel level = AssertionLevel::should;
  std::string status;  ///< pending, passed, failed, skipped or error
  std::string reason;
  std::vector<std::string> evidence;  ///< entry ids
  double weight = 0;
  bool operator==(const AssertionRow&) const = default;
};

/// One entry of a conversation, for transcripts.
struct EntryRow {
  std::string id;
  std::string type;
  std::string role;
  std::string text;  ///< the content of a message, otherwise the name
  std::string metadata = "{}";
  std::int64_t turn = 0;
  bool operator==(const EntryRow&) const = default;
};

struct CaseFault {
  std::string source;
  std::string code;
  std::string detail;
  bool operator==(const CaseFault&) const = default;
};

/// A reason to doubt the verdict of a result (D97).
struct WarningRow {
  std::string code;
  std::string detail;
  bool operator==(const WarningRow&) const = default;
};

struct ResultRow {
  std::string id;
  std::string run;
  std::string test;  ///< the key of the test
  std::string name;
  std::string scenario;
  std::optional<std::string> variant;
  std::string agent;
  std::optional<std::string> persona;
  std::string fields = "{}";
  std::int64_t repetition = 1;
  std::string file;
  std::int64_t line = 0;
  CaseState state = CaseState::missing;
  std::optional<CaseFault> fault;
  std::int64_t score = 0;
  std::int64_t turns = 0;
  double seconds = 0;
  double usd = 0;
  std::vector<AssertionRow> assertions;
  std::vector<WarningRow> warnings;
  std::vector<double> response_ms;   ///< one value per chatbot message; not in the JSON document
  std::vector<EntryRow> transcript;  ///< kept for cases that did not pass; not in the JSON document
  std::string review;                ///< why the trial was not valid; empty: valid or not reviewed
  bool operator==(const ResultRow&) const = default;
};

struct RunRow {
  std::string id;
  std::string agent;
  std::string scenario;
  std::string status;
  std::optional<double> pass_rate;
  scoring::Interval interval;
  double coverage = 0;
  std::string part = {};  ///< `shard 2/5` or `selection`; empty: all cases that the suite has for the agent
  bool operator==(const RunRow&) const = default;
};

struct Counts {
  std::int64_t cases = 0;
  std::int64_t passed = 0;
  std::int64_t failed = 0;
  std::int64_t undecided = 0;
  std::int64_t faults = 0;
  std::int64_t canceled = 0;
  std::int64_t missing = 0;

  [[nodiscard]] std::int64_t decided() const { return passed + failed; }
  bool operator==(const Counts&) const = default;
};

/// The cost of the calls of each party, in USD.
struct Costs {
  double agent = 0;
  double tester = 0;
  double judge = 0;

  [[nodiscard]] double total() const { return agent + tester + judge; }
  bool operator==(const Costs&) const = default;
};

enum class Decision : std::uint8_t { green, red, undecided };

struct Report {
  std::string parley;  ///< the version of parley
  std::string project;
  std::string started_at;
  double seconds = 0;
  int exit = 0;
  Decision decision = Decision::undecided;
  std::vector<std::string> reasons;
  Costs usd;
  std::vector<RunRow> runs;
  std::vector<ResultRow> results;
  std::vector<std::string> empty_parts = {};  ///< `shard 2/5`: parts that had no cases, so they have no runs
  std::vector<std::string> gaps = {};         ///< what the files of the report lack; not in the JSON document
  bool operator==(const Report&) const = default;
};

/// Adds the report of another suite that the same command played. Reasons get the name of their project.
void join(Report& all, const Report& one);

[[nodiscard]] Counts counts_of(const std::vector<ResultRow>& results);
/// From 0 to 1; 1 if there are no cases.
[[nodiscard]] double coverage_of(const Counts& counts);
/// Nullopt if no case is decided.
[[nodiscard]] std::optional<double> pass_rate_of(const Counts& counts);

[[nodiscard]] std::string_view word_of(CaseState state);
[[nodiscard]] std::string_view word_of(AssertionLevel level);
[[nodiscard]] std::string_view word_of(Decision decision);
/// The server's term for the level: BLOCKER, MAJOR or MINOR.
[[nodiscard]] std::string_view severity_of(AssertionLevel level);
[[nodiscard]] std::optional<CaseState> case_state_of(std::string_view word);
[[nodiscard]] AssertionLevel level_of_severity(std::string_view severity);

/// The results of one test, persona and agent. A group is a line of the screen and a row of a table.
struct Group {
  std::string label;  ///< `Orders a latte · hasty`, without the agent
  std::string agent;
  std::string file;
  std::int64_t line = 0;
  std::vector<const ResultRow*> results;

  [[nodiscard]] Counts counts() const;
};
/// Groups the results, in the order of their first occurrence. The results must outlive the groups.
[[nodiscard]] std::vector<Group> groups_of(const std::vector<ResultRow>& results);
/// Returns the warnings of the group's passed results, without duplicates. Results that did not pass report reasons
/// instead.
[[nodiscard]] std::vector<WarningRow> warnings_of_passed(const Group& group);
/// Returns a label such as `Orders a latte · in Wien · hasty`.
[[nodiscard]] std::string label_of(const ResultRow& result);
/// Returns the label with the number of the repetition: `Orders a latte · hasty #3`.
[[nodiscard]] std::string name_of_case(const ResultRow& result);
/// Explains in one line why an undecided result has no verdict: the fault, the review, or the first undecided
/// assertion. Not escaped.
[[nodiscard]] std::string why_open(const ResultRow& result);
/// Explains in one line why the result did not pass: the fault, the review, the first failed must, or the first
/// undecided assertion. For an undecided result with a failed must, it names both. Not escaped.
[[nodiscard]] std::string why(const ResultRow& result);

}  // namespace parley::client
