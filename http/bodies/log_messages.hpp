#pragma once
/// Messages of external logs (D24): reads them from a body, reports their faults, and writes them as entries. Pure
/// functions.

#include <vector>

#include "model/description/record_parse.hpp"
#include "model/records/external_log.hpp"

namespace parley::http {

/// The messages in the body; empty if it has none. Adds a fault for each invalid message.
[[nodiscard]] std::vector<LogMessage> read_messages(const json::Value& body, Findings& findings);

/// The stored conversation, with a new id for each entry.
[[nodiscard]] json::Text conversation_of(const std::vector<LogMessage>& messages, Time now, IdSource& ids);

}  // namespace parley::http
