#pragma once
/// The four generations of GenAI attributes: messages of a span as lists of chat messages. Pure.

#include "convert/traces/conversation.hpp"
#include "convert/traces/spans.hpp"

namespace parley::convert {

/// Whether the span is about a model, an agent or a tool at all.
[[nodiscard]] bool is_genai(const Span& span);
/// Whether the span is the call of a tool.
[[nodiscard]] bool is_tool(const Span& span);
/// The call of a tool; nullopt for other spans.
[[nodiscard]] std::optional<ToolCall> tool_call_of(const Span& span);
/// The call of a model or an agent; its messages are empty if the span has none.
[[nodiscard]] ModelCall model_call_of(const Span& span);

}  // namespace parley::convert
