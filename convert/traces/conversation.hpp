#pragma once
/// Builds the log of one conversation from its model calls. Most frameworks repeat the history in each call, so the
/// call with the longest input is used, followed by later calls that send only new messages. Calls inside tool calls
/// have the lowest priority. Tool calls are merged with the calls in the messages; the others are placed by their time.
/// One thread.

#include "convert/messages/chat_reader.hpp"

namespace parley::convert {

/// One model call.
struct ModelCall {
  std::vector<Node> input;
  std::vector<Node> output;
  std::string order;                     ///< sorts calls by their start
  Members about;                         ///< of the answer: model, inputTokens, outputTokens, cost
  bool is_agent = false;                 ///< the span of an agent, which repeats its model calls
  bool is_in_tool = false;               ///< made by an agent that is a tool of the agent
  std::string begin = {};                ///< from `time_of`; empty: unknown
  bool is_of_root = false;               ///< the messages are the input and output of the outermost span
  std::vector<Node> other_choices = {};  ///< answers that the model gave in addition to the first
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

/// Start of a model call, and the number of user messages in its input.
struct CallStart {
  std::string begin;  ///< from `time_of`
  std::size_t turn = 0;
};

/// Adds results and times to the tool entries of the log. An entry is that of a call if it has the same id, else the
/// same tool and arguments, else the same tool and no arguments to compare. Returns the calls without an entry, in
/// order of their start.
[[nodiscard]] std::vector<const ToolCall*> give_to_entries(LogDraft& log, const std::vector<ToolCall>& tools);
/// Adds entries for these calls. A call belongs to the turn of the next model call that starts, or to the last turn.
void insert_calls(LogDraft& log, const std::vector<const ToolCall*>& calls, std::vector<CallStart> starts);

/// What the source records and a log cannot hold, such as the errors of model calls and scores. The report has one line
/// for each kind of such things in a log.
class Unkept {
 public:
  /// Adds the item, or counts it if one with the same source was added.
  void add(Place place, Item item);
  /// Adds the member unless it is empty.
  void take(const Node& record, std::string_view key, const std::string& why,
            ItemKind kind = ItemKind::other);
  void report(Conversion& conversion, const Source& source, const std::string& log_name) const;

 private:
  std::vector<std::pair<Place, Item>> items_;
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
