#pragma once
/// The places of the parts of an agent's answer (D100, `config.reply`).
///
///   reply    = "text" | { message, tools, toolName, toolArguments, toolResult, events, end, metadata: {NAME: place} }
///   place    = pointer | [pointer ...]     the first one whose value is not null counts
///   pointer  = a JSON Pointer (RFC 6901), in which `*` also means every item of a list, in order
///
/// toolName, toolArguments and toolResult are relative to an element of `tools`. Pure; any thread.

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/description/record_parse.hpp"

namespace parley::outbound {

inline constexpr std::size_t pointers_max = 16;         ///< for one place
inline constexpr std::size_t found_values_max = 1'000;  ///< values that one pointer with `*` may lead to

using Place = std::vector<std::string>;

struct ReplyForm {
  bool is_text = false;  ///< the whole body is the message
  Place message;
  Place tools;
  Place tool_name;
  Place tool_arguments;
  Place tool_result;
  Place events;
  Place end;
  std::vector<std::pair<std::string, Place>> metadata;
};

/// Adds a fault for each invalid key and pointer. `pointer` points at the value.
void check_reply_form(const json::Value& value, const std::string& pointer, Findings& findings);
/// Needs: a value without faults. The defaults for the parts of a tool are /name, /arguments and /result.
[[nodiscard]] ReplyForm reply_form(const json::Value& value);

/// The values at the first pointer of the place that finds a value; several values only with `*`.
[[nodiscard]] std::vector<json::Value> values_at(const json::Value& root, const Place& place);
/// The first of these values.
[[nodiscard]] std::optional<json::Value> value_at(const json::Value& root, const Place& place);
/// The place as a sentence shows it: "/answer or /output/text".
[[nodiscard]] std::string shown(const Place& place);

}  // namespace parley::outbound
