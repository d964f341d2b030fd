#pragma once
/// Writes a conversation as text for people, escaped for terminals and documents. Pure functions.

#include <string>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// Returns lines such as `turn 2  tester  Hello`, in order, with tool calls and their arguments.
[[nodiscard]] std::string transcript_text(const ResultRow& result, std::size_t bytes_max = 16 << 10);
/// Returns the speaker: `tester`, the agent's name, `tool` or `event`.
[[nodiscard]] std::string speaker_of(const EntryRow& entry, const ResultRow& result);
/// Returns the content of an entry in one escaped line: the message, or a call with its arguments.
[[nodiscard]] std::string saying_of(const EntryRow& entry);
/// Returns the reasons of the assertions that did not pass, one per line, after the fault or the review if there is
/// one. Escaped.
[[nodiscard]] std::vector<std::string> reasons_of(const ResultRow& result);
/// Returns who caused a case to be undecided: judge, test, or the source of the fault.
[[nodiscard]] std::string fault_source_of(const ResultRow& result);

}  // namespace parley::client
