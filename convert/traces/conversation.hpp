#pragma once
/// Builds the log of one conversation from its model calls. Most frameworks repeat the history in each call, so the
/// call with the longest input is used, followed by later calls that send only new messages. Calls inside tool calls
/// have the lowest priority. Tool calls are merged with the calls in the messages. One thread.

#include "convert/messages/chat_reader.hpp"

namespace parley::convert {

/// One model call.
struct ModelCall {
  std::vector<Node> input;
  std::vector<Node> output;
  std::string order;        ///< sorts calls by their start
  Members about;            ///< of the answer: model, inputTokens, outputTokens, cost
  bool is_agent = false;    ///< the span of an agent, which repeats its model calls
  bool is_in_tool = false;  ///< made by an agent that is a tool of the agent
};
/// One tool call.
struct ToolCall {
  std::string id;
  std::string name;
  std::optional<Node> arguments;
  std::optional<Node> result;
  std::string error;
  std::optional<double> milliseconds;
  std::string order = {};  ///< from `time_of`
};

/// The tool named in the name of a span, without the words that frameworks put before it.
[[nodiscard]] std::string tool_of_span(const std::string& name);
/// Fills the log with the calls of one trace.
void fill_from_calls(Conversion& conversion, const Source& source, LogDraft& log,
                     const std::vector<ModelCall>& models, const std::vector<ToolCall>& tools);
/// How to report a trace without messages.
struct EmptyTrace {
  std::string source;  ///< the file's term for a trace, such as "run"
  std::string why;
};
/// Stores the log of a trace. A trace without messages, tool arguments and tool results is reported as not mapped.
void finish_trace(Conversion& conversion, LogDraft&& log, const At& at, EmptyTrace if_empty);

}  // namespace parley::convert
