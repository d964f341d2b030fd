#pragma once
/// What every reader of an answer does first: a 2xx with a JSON object, or a fault that says in a sentence what came
/// instead (F19, F21). Pure; any thread.

#include <variant>

#include "model/chat.hpp"
#include "outbound/agent_turn.hpp"
#include "outbound/call.hpp"

namespace parley::outbound {

/// Faults: bad_status (with the words of the answer), not_json, wrong_shape. `who`: as in "The agent".
[[nodiscard]] std::variant<json::Document, CallFault> object_of(const HttpAnswer& answer,
                                                                std::string_view who);

/// A call without an answer as a fault, by the word and sentence of its kind.
[[nodiscard]] CallFault fault_of(const Failure& failure);

[[nodiscard]] bool is_success(const HttpAnswer& answer);
/// "The agent answered 500: no database." Needs: no success.
[[nodiscard]] CallFault bad_status(const HttpAnswer& answer, std::string_view who);

/// The text with each secret of six characters or more replaced by "***", so that an endpoint that repeats what it was
/// sent does not put a secret into a record that others read (D23).
[[nodiscard]] std::string without_secrets(std::string text, const Secrets& secrets);

/// Foreign text as a sentence may quote it: valid UTF-8 without control characters, at most some 300 characters.
[[nodiscard]] std::string excerpt(std::string_view text);

}  // namespace parley::outbound
