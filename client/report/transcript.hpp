#pragma once
/// A conversation as text for people. Escaped for terminals and documents. Pure functions.

#include <string>
#include <vector>

#include "client/report/report.hpp"

namespace parley::client {

/// Lines `turn 2  tester  Hello`, in order, with tool calls and their arguments.
[[nodiscard]] std::string transcript_text(const ResultRow& result, std::size_t bytes_max = 16 << 10);
/// The speaker: `tester`, the agent's name, `tool`, `event`.
[[nodiscard]] std::string speaker_of(const EntryRow& entry, const ResultRow& result);
/// The content of an entry in one line, escaped: the message, or a call with its arguments.
[[nodiscard]] std::string saying_of(const EntryRow& entry);
/// The reasons of the assertions that did not pass, one per line; for a fault its sentence. Escaped.
[[nodiscard]] std::vector<std::string> reasons_of(const ResultRow& result);
/// Who caused a case not to be decided: judge, test, or the source of its fault.
[[nodiscard]] std::string fault_source_of(const ResultRow& result);

}  // namespace parley::client
