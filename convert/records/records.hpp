#pragma once
/// What importers produce: tests with checks, and logs with entries. Plain values; the writers of this room write them
/// to files.

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/records/assertion.hpp"

namespace parley::convert {

/// One assertion of a test or log. `config` is a JSON object without `negate`.
struct Check {
  std::string type;
  std::string config = "{}";
  std::string criteria;  ///< only for the type criteria, whose config may hold a scope
  std::string name;
  bool negate = false;
  Severity severity = Severity::blocker;
  std::optional<std::int64_t> weight;
  std::string id = {};  ///< empty: the suite reader generates one
};

struct Message {
  std::string role;  ///< user or assistant
  std::string text;
};

/// A test. Either `turns` (a script) or `goal` (prose for the model tester).
struct Test {
  std::string name;
  std::string key;
  std::string description;
  std::vector<std::string> turns;
  std::string goal;
  std::string first;  ///< the model tester's first words
  std::optional<std::int64_t> max_turns;
  std::string persona;  ///< key of a persona of the suite
  std::vector<std::string> tags;
  std::vector<Message> history;
  std::string metadata = "{}";
  std::map<std::string, std::string> fields;
  std::vector<Check> checks;
  bool is_enabled = true;
};

struct Persona {
  std::string key;
  std::string description;
};

/// An agent that the source describes, as suite lines. The suite has it as a comment, because its keys are missing.
struct AgentProposal {
  std::string name;  ///< a slug
  std::vector<std::string> lines;
};

/// The tests from one PATH.
struct Suite {
  std::string name;
  std::vector<AgentProposal> proposals;
  std::vector<Persona> personas;
  std::vector<Test> tests;
};

/// Number of log entries by role.
struct EntryCounts {
  std::size_t tester = 0;
  std::size_t chatbot = 0;
  std::size_t tool = 0;
  std::size_t action = 0;
};

}  // namespace parley::convert
