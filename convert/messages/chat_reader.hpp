#pragma once
/// Reads lists of chat messages in the dialects of OpenAI, Azure, Anthropic, ShareGPT, GenAI spans, LangChain and
/// Inspect into a log: roles, content parts, tool calls and tool results. One thread; one reader for each log.

#include <map>
#include <set>
#include <string>

#include "convert/records/conversion.hpp"

namespace parley::convert {

class ChatReader {
 public:
  ChatReader(Conversion& conversion, const Source& source, LogDraft& log)
      : conversion_(conversion), source_(source), log_(log) {}

  /// Sets the externalId under which lost parts are reported.
  void set_log_name(std::string name) { log_name_ = std::move(name); }

  /// Adds every message of the list.
  void add_all(const std::vector<Node>& messages);
  void add(const Node& message);
  /// Adds a call from a span or an observation. Merged with an earlier call that has the same id.
  void add_call(const std::string& id, const std::string& name, const Node* arguments, const Node* result,
                const std::string& error);
  /// Whether the message consists only of tool results.
  [[nodiscard]] static bool is_tool_result(const Node& message);
  /// Whether the message is text, reasoning or a call of the assistant.
  [[nodiscard]] static bool is_of_assistant(const Node& message);
  /// Whether a message or call was added.
  [[nodiscard]] bool has_entries() const { return !log_.entries.empty(); }

 private:
  enum class Side : std::uint8_t { system, user, assistant, tool, unknown };
  struct Content {
    std::string text;
    bool has_text = false;
    bool has_calls = false;       ///< the content includes a call or a result
    bool follows_result = false;  ///< the text begins after a result in the same content

    /// Adds a text on a new line.
    void add(const std::string& more);
  };
  /// A call that results may refer to.
  struct Call {
    std::size_t entry = 0;
    bool has_id = false;  ///< the entry has the id in its metadata
  };

  [[nodiscard]] static Side side_of(const Node& message);
  Content read_content(const Node* content, Side side);
  void read_part(const Node& part, Side side, Content& into);
  void read_spoken(const Node& message, Content& into);
  void add_system(const std::string& text);
  void add_message(const Node& message, Side side, const Content& content, std::size_t at);
  bool read_item(const Node& message);
  [[nodiscard]] bool awaits(const std::string& tool) const;
  bool read_calls_of_tool(const Node& value);
  bool read_definition(const Node& value);
  bool read_calls(const Node& message, Side side);
  void call(const Node& call, Side side);
  std::size_t add_known(const std::string& id, Call known);
  void finish_service_call(const Node& given, LogEntry& entry);
  void result(const Node& message, const std::string& id, const Node* value);
  void repeated_result(const Node& message, const LogEntry& entry, const Node* value);
  void lost(const Node& at, const std::string& what, const std::string& why);

  Conversion& conversion_;
  const Source& source_;
  LogDraft& log_;
  std::string log_name_;
  // Calls are known by their numbers, so that a conversation of any length is read in linear time.
  std::vector<Call> calls_;                   ///< in the order of their entries
  std::map<std::string, std::size_t> by_id_;  ///< maps call ids to calls
  std::set<std::size_t> unanswered_;          ///< calls without a result
  std::set<std::size_t> unanswered_no_id_;    ///< those of them without an id
  std::string system_;                        ///< the system messages, joined
  std::set<std::string> tools_;               ///< tool definitions found among the messages, as JSON
};

/// A string that contains JSON is replaced with that JSON; other values are unchanged.
[[nodiscard]] std::string arguments_json(const Node& arguments);

}  // namespace parley::convert
