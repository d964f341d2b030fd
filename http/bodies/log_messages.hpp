#pragma once
/// Messages of external logs (D24): read out of a body with their faults, and written as entries. Pure functions.

#include <vector>

#include "model/description/record_parse.hpp"
#include "model/records/external_log.hpp"

namespace parley::http {

/// The messages that the body gives; none where it gives none. Adds a fault for each one that is none.
[[nodiscard]] std::vector<LogMessage> read_messages(const json::Value& body, Findings& findings);

/// The conversation as it is stored, each entry with an id of its own.
[[nodiscard]] json::Text conversation_of(const std::vector<LogMessage>& messages, Time now, IdSource& ids);

}  // namespace parley::http
