#pragma once
/// Converts promptfoo assertions to checks: the table of types, `not-`, weights, metrics and sets. One thread.

#include <span>

#include "convert/promptfoo/template.hpp"
#include "convert/promptfoo/tool_definitions.hpp"
#include "convert/records/conversion.hpp"

namespace parley::convert {

/// The part of the conversation that an assertion applies to.
struct AssertionPlace {
  std::string scope;  ///< `turn:0`; empty for a simulated user, whose whole conversation is checked
  std::size_t turn = 0;
  bool is_one_of_many = false;  ///< the conversation has several turns, so each criterion names its turn
  bool is_simulated = false;    ///< the source also judges the words of its simulated user
  std::span<const ToolDefinition> tools = {};  ///< tools of the agents
};

/// Adds the assertion to the test, or reports why it is lost.
void add_assertion(Conversion& conversion, TestDraft& draft, const Source& source, const Node& assertion,
                   const Variables& variables, const AssertionPlace& place);

/// Whether a cell of `__expected` may begin with this type name.
[[nodiscard]] bool is_assertion_type(std::string_view name);
/// Converts a cell of `__expected` (`not-contains: x`, `similar(0.8): x`, `x`) to an assertion of a configuration.
[[nodiscard]] Node assertion_of_cell(const std::string& cell, Place place);

/// Applies the `threshold` of a test: its checks become one set that must reach it, unless one of them is a criterion.
void apply_threshold(Conversion& conversion, TestDraft& draft, const Source& source, const Node& threshold);

}  // namespace parley::convert
