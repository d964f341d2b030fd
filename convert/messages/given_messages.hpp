#pragma once
/// A list of chat messages that a test begins with: the last one of the user is its turn, the earlier ones are its history, and
/// a system message belongs to the agent. One thread.

#include "convert/records/conversion.hpp"

namespace parley::convert {

/// Whether the value is a list of `{role, content}`.
[[nodiscard]] bool is_message_list(const Node& value);
/// The last text of the user, for the name of a test; empty if the user says nothing.
[[nodiscard]] std::string last_user_text(const Node& messages);
/// Adds the messages to the test. `column` spells the list in the report where the user says nothing in it; then the test is
/// disabled.
void add_given_messages(Conversion& conversion, TestDraft& draft, const Source& source, const Node& messages,
                        const std::string& column);

}  // namespace parley::convert
