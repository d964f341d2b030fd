#pragma once
/// A list of chat messages that a test begins with. The last user message becomes the turn, earlier messages become the
/// history, and system messages belong to the agent. Reads messages of OpenAI, ShareGPT and LangChain. One thread.

#include <optional>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Whether the value is a list of messages, such as `{role, content}`.
[[nodiscard]] bool is_message_list(const Node& value);
/// The value as a list of messages; a single message becomes a list of one. nullopt: the value is not a message.
[[nodiscard]] std::optional<Node> messages_in_value(const Node& value);
/// The text of the last user message, for the name of a test; empty if the list has none.
[[nodiscard]] std::string last_user_text(const Node& messages);
/// The last non-empty text of the assistant; empty if the list has none.
[[nodiscard]] std::string last_answer_text(const Node& messages);
/// The tool calls of the assistant after the last user message. Needs: the messages outlive the result.
[[nodiscard]] std::vector<const Node*> answer_calls(const Node& messages);
/// Adds one message to the history, or reports a system message as part of the agent.
void add_to_history(Conversion& conversion, TestDraft& draft, const Source& source, const Node& message);
/// Adds the messages to the test. If the list has no user message, the report names it as `column` and the test is
/// disabled.
void add_given_messages(Conversion& conversion, TestDraft& draft, const Source& source, const Node& messages,
                        const std::string& column);

}  // namespace parley::convert
