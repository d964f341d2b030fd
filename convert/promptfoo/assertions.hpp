#pragma once
/// Assertions of promptfoo as checks: the table of types, `not-`, weights, metrics and sets. One thread.

#include <span>

#include "convert/promptfoo/template.hpp"
#include "convert/promptfoo/tool_definitions.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Where an assertion looks.
struct AssertionPlace {
  std::string scope;  ///< `turn:0`, or empty for a simulated user, whose whole conversation counts
  std::size_t turn = 0;
  bool is_one_of_many = false;  ///< the conversation has several turns, so criteria name theirs
  std::span<const ToolDefinition> tools = {};  ///< of the agents
};

/// Adds the assertion to the test, or reports why it is lost.
void add_assertion(Conversion& conversion, TestDraft& draft, const Source& source, const Node& assertion,
                   const Variables& variables, const AssertionPlace& place);

/// The names of the types that a cell of `__expected` may begin with.
[[nodiscard]] bool is_assertion_type(std::string_view name);
/// A cell of `__expected` (`not-contains: x`, `similar(0.8): x`, `x`) as the assertion of a config.
[[nodiscard]] Node assertion_of_cell(const std::string& cell, Place place);

/// A test with a `threshold`: its checks become one set that must reach it, unless a criterion is among them.
void apply_threshold(Conversion& conversion, TestDraft& draft, const Source& source, const Node& threshold);

}  // namespace parley::convert
