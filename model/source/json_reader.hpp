#pragma once
/// Reads JSON (RFC 8259) with the position of every value. Faults of duplicate keys name both positions.
/// Pure; any thread.

#include "model/source/source_tree.hpp"

namespace parley::source {

/// The JSON text in the bytes of `part`, or in the whole file. Malformed text ends reading at once; duplicate
/// keys do not.
[[nodiscard]] ReadTree read_json(const SourceFilePtr& file, const TreeBounds& bounds = {});
[[nodiscard]] ReadTree read_json(const SourceFilePtr& file, Span part, const TreeBounds& bounds = {});

/// Reads JSON lines: one result for each line that is not blank. A fault in one line does not affect the
/// others.
[[nodiscard]] std::vector<ReadTree> read_json_lines(const SourceFilePtr& file, const TreeBounds& bounds = {});

}  // namespace parley::source
