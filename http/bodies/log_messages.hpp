#pragma once
/// Messages of external logs (D24): read from a body with their faults, and written as entries. Pure
/// functions.

#include <vector>

#include "model/description/record_parse.hpp"
#include "model/records/external_log.hpp"

namespace parley::http {

/// The messages of the body; empty without any. Adds a fault for each invalid one.
[[nodiscard]] std::vector<LogMessage> read_messages(const json::Value& body, Findings& findings);

/// The stored conversation, with a new id for each entry.
[[nodiscard]] json::Text conversation_of(const std::vector<LogMessage>& messages, Time now, IdSource& ids);

}  // namespace parley::http
