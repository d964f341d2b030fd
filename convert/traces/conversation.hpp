#pragma once
/// From the model calls of one conversation to its log: most frameworks repeat the history in each call, so the longest input
/// and its output count, then the later calls that send only what is new. Calls inside calls of tools count last. Calls of tools
/// are joined with what the messages say of them. One thread.

#include "convert/messages/chat_reader.hpp"

namespace parley::convert {

/// One call of a model.
struct ModelCall {
  std::vector<Node> input;
  std::vector<Node> output;
  std::string order;        ///< compares as the calls began
  Members about;            ///< model, inputTokens, outputTokens, cost: of the answer
  bool is_agent = false;    ///< the span of an agent, which repeats its model calls
  bool is_in_tool = false;  ///< of an agent that is a tool of the agent
};
/// One call of a tool.
struct ToolCall {
  std::string id;
  std::string name;
  std::optional<Node> arguments;
  std::optional<Node> result;
  std::string error;
  std::optional<double> milliseconds;
  std::string order = {};  ///< of `time_of`
};

/// The tool that a span is named after, without the words that frameworks put before it.
[[nodiscard]] std::string tool_of_span(const std::string& name);
/// Fills the log from the calls of one trace.
void fill_from_calls(Conversion& conversion, const Source& source, LogDraft& log,
                     const std::vector<ModelCall>& models, const std::vector<ToolCall>& tools);
/// How a trace without messages is reported.
struct EmptyTrace {
  std::string source;  ///< what the file calls a trace
  std::string why;
};
/// Stores the log of a trace; one without messages and without arguments or results of tools is reported as not mapped.
void finish_trace(Conversion& conversion, LogDraft&& log, const At& at, EmptyTrace if_empty);

}  // namespace parley::convert
