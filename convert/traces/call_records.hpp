#pragma once
/// Records of AWS Distro for OpenTelemetry. The body of each record has a whole call:
/// `{"input": {"messages"}, "output": {"messages"}}`. Pure.

#include "convert/traces/conversation.hpp"
#include "convert/traces/spans.hpp"

namespace parley::convert {

/// Adds the messages of a record to the call. False: it is a different record.
bool take_call_record(const Attributes& attributes, ModelCall& call);
/// The tool call that a record of the span describes. LangChain writes the result as a message of the type `tool`.
[[nodiscard]] std::optional<ToolCall> tool_of_records(const Span& span);

}  // namespace parley::convert
