#pragma once
/// The tools that a configuration defines for its agents. One thread.

#include <string>
#include <vector>

#include "convert/records/conversion.hpp"

namespace parley::convert {

struct ToolDefinition {
  std::string name;
  Node parameters;  ///< a JSON Schema; null: not given
};

/// Adds the tool definitions in `tools` and `functions` of a provider's `config`, in the form of OpenAI or Anthropic. A
/// list may be in a data file. Only the first definition of each name is added.
void add_tool_definitions(Conversion& conversion, const Source& source, const Node& config,
                          std::vector<ToolDefinition>& tools);

}  // namespace parley::convert
