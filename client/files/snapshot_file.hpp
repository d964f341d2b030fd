#pragma once
/// The file of a snapshot: the accepted tool calls of a run. Pure; any thread.
///
///   # Tool calls of "Orders a latte", accepted by `parley run --update`.
///   calls:
///     - name: place_order
///       arguments: {"size": "large"}

#include <string>
#include <string_view>
#include <vector>

namespace parley::client {

struct SnapshotCall {
  std::string name;
  std::string arguments = "{}";  ///< a JSON object without whitespace outside strings
  bool operator==(const SnapshotCall&) const = default;
};

/// Returns the file for these calls. Comments and unchanged calls are copied from the old file, which may be empty.
[[nodiscard]] std::string snapshot_text(std::string_view test, const std::vector<SnapshotCall>& calls,
                                        std::string_view old_file);
/// Returns the calls in a file; empty if the file is malformed.
[[nodiscard]] std::vector<SnapshotCall> snapshot_calls(std::string_view file);

/// Returns the changes between two texts, line by line: `- old`, `+ new`, with up to three equal lines around them.
/// Empty if the texts are equal.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace parley::client
