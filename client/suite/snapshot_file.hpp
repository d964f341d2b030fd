#pragma once
/// The file of a snapshot: the tool calls of an accepted run. Pure; any thread.
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
  std::string arguments = "{}";  ///< a JSON object without white space outside strings
  bool operator==(const SnapshotCall&) const = default;
};

/// The file for these calls. Comments and the text of unchanged calls are copied from the old file; empty: there was none.
[[nodiscard]] std::string snapshot_text(std::string_view test, const std::vector<SnapshotCall>& calls,
                                        std::string_view old_file);
/// The calls of a file; empty also for a malformed one.
[[nodiscard]] std::vector<SnapshotCall> snapshot_calls(std::string_view file);

/// The changes between two texts, line by line: `- old`, `+ new` and up to three equal lines around them. Empty: none.
[[nodiscard]] std::string line_diff(std::string_view before, std::string_view after);

}  // namespace parley::client
