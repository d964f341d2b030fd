#pragma once
/// One ADK eval case in a form that all generations of the file format share. Plain values.

#include <string>
#include <vector>

#include "convert/reading/node.hpp"

namespace parley::convert {

struct AdkCall {
  std::string name;
  std::string id;
  std::string arguments = "{}";  ///< JSON
  std::string result;            ///< JSON; empty: none recorded
  bool is_mocked = false;        ///< the result is what the source makes the tool return
  Place place;
};

struct AdkTurn {
  std::string text;
  bool has_files = false;    ///< some parts are files
  bool lists_calls = false;  ///< the case lists its calls, possibly none
  std::vector<AdkCall> calls;
  std::vector<std::string> intermediate;  ///< messages before the last one
  std::string reference;
  std::vector<const Node*> rubrics;  ///< for this turn only
  Place place;
  Place reference_place;
};

struct AdkCase {
  std::string id;
  std::vector<AdkTurn> turns;
  const Node* state = nullptr;        ///< session state; null: none
  const Node* final_state = nullptr;  ///< expected state at the end of the session
  const Node* scenario = nullptr;     ///< conversation_scenario
  std::vector<const Node*> rubrics;
  Place place;
};

/// The cases of a parsed file; empty for other files. The tree must outlive the cases.
[[nodiscard]] std::vector<AdkCase> adk_cases(const Node& file, const std::string& stem);

}  // namespace parley::convert
