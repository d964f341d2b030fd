#pragma once
/// Reads JSON (RFC 8259) with the place of every value. Duplicate keys are faults with both places. Pure; any thread.

#include "model/source/source_tree.hpp"

namespace parley::source {

/// The JSON text in the bytes of `part`, or in the whole file. The first malformed place ends reading; duplicate keys do not.
[[nodiscard]] ReadTree read_json(const SourceFilePtr& file, const TreeBounds& bounds = {});
[[nodiscard]] ReadTree read_json(const SourceFilePtr& file, Span part, const TreeBounds& bounds = {});

/// Lines of JSON: one result for each line that is not blank. Faults of a line do not stop the others.
[[nodiscard]] std::vector<ReadTree> read_json_lines(const SourceFilePtr& file, const TreeBounds& bounds = {});

}  // namespace parley::source
