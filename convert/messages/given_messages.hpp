#pragma once
/// A list of chat messages that a test begins with: the last one of the user is its turn, the earlier ones are its history, and
/// a system message belongs to the agent. Messages of OpenAI, ShareGPT and LangChain. One thread.

#include <optional>

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Whether the value is a list of messages, such as `{role, content}`.
[[nodiscard]] bool is_message_list(const Node& value);
/// The list of messages that the value is, with a single message as a list of one; nullopt: it is something else.
[[nodiscard]] std::optional<Node> messages_in_value(const Node& value);
/// The last text of the user, for the name of a test; empty if the user says nothing.
[[nodiscard]] std::string last_user_text(const Node& messages);
/// The last text of the assistant; empty if it says nothing.
[[nodiscard]] std::string last_answer_text(const Node& messages);
/// Adds one message to the history, or reports it as the agent's.
void add_to_history(Conversion& conversion, TestDraft& draft, const Source& source, const Node& message);
/// Adds the messages to the test. `column` spells the list in the report where the user says nothing in it; then the test is
/// disabled.
void add_given_messages(Conversion& conversion, TestDraft& draft, const Source& source, const Node& messages,
                        const std::string& column);

}  // namespace parley::convert
