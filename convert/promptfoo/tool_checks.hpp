#pragma once
/// promptfoo's assertions about tool calls. Pure; one thread.

#include "convert/promptfoo/assertion_table.hpp"

namespace parley::convert {

/// `trajectory:tool-used` and `trajectory:tool-args-match`.
[[nodiscard]] Mapped tool_used(const Question& question);
/// `trajectory:step-count`, if the steps are calls of one tool.
[[nodiscard]] Mapped step_count(const Question& question);
/// `trajectory:tool-sequence`
[[nodiscard]] Mapped tool_sequence(const Question& question);
/// `tool-call-f1`
[[nodiscard]] Mapped tool_f1(const Question& question);
/// `is-valid-openai-tools-call`: a tool was called, only defined tools were called, and the arguments match their
/// definitions.
[[nodiscard]] Mapped valid_calls(const Question& question);

}  // namespace parley::convert
