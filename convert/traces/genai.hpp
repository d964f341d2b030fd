#pragma once
/// Reads the messages of a span as lists of chat messages, in all four generations of GenAI attributes. Pure.

#include "convert/traces/conversation.hpp"
#include "convert/traces/spans.hpp"

namespace parley::convert {

/// Whether the span describes a model, an agent or a tool.
[[nodiscard]] bool is_genai(const Span& span);
/// Whether the span is a tool call.
[[nodiscard]] bool is_tool(const Span& span);
/// The tool call of the span; nullopt for other spans.
[[nodiscard]] std::optional<ToolCall> tool_call_of(const Span& span);
/// The model or agent call of the span; its messages are empty if the span has none. A root has no span about a model
/// above it.
[[nodiscard]] ModelCall model_call_of(const Span& span, bool is_root);

}  // namespace parley::convert
