#pragma once
/// Reads YAML 1.2: one document; anchors, aliases and merge keys are followed, duplicate keys and custom tags
/// refused. Pure; any thread.

#include "model/source/source_tree.hpp"

namespace parley::source {

/// The document of the file; a null root for an empty one. Faults: malformed text (the first fault only, as
/// the parser stops there), a duplicate key (with both positions), a key that is not a scalar, an unknown tag
/// or alias, a second document, and exceeded bounds. If duplicate keys are the only faults, the tree has the
/// first value of each, so that the rest can be checked; otherwise there is no tree.
[[nodiscard]] ReadTree read_yaml(const SourceFilePtr& file, const TreeBounds& bounds = {});

}  // namespace parley::source
