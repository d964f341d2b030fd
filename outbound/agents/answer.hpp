#pragma once
/// The first step of every reader of an answer: a 2xx with a JSON object, or a fault that describes in a sentence what
/// was received instead (F19, F21). Pure; any thread.

#include <variant>

#include "model/values/chat.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// Who answered, as in "The agent", and the secrets that were sent, which no text of a fault may repeat (D23, I67).
struct Answerer {
  std::string_view name;
  const Secrets& secrets;
};

/// The body without the byte order mark that some servers prepend.
[[nodiscard]] std::string_view without_bom(std::string_view body);
/// Foreign text as a sentence may quote it: cut, on one line, without secrets.
[[nodiscard]] std::string in_quotes(std::string_view text, const Secrets& secrets);

/// Any JSON value. Faults: bad_status (with the answer's text), not_json.
[[nodiscard]] std::variant<json::Document, CallFault> json_of(const HttpAnswer& answer, const Answerer& who);
/// The same, with wrong_shape for anything but an object.
[[nodiscard]] std::variant<json::Document, CallFault> object_of(const HttpAnswer& answer,
                                                                const Answerer& who);

/// A call without an answer as a fault, with the keyword and sentence of its kind.
[[nodiscard]] CallFault fault_of(const Failure& failure);

[[nodiscard]] bool is_success(const HttpAnswer& answer);
/// The text of `{message}`, or a plain text, reported as an error; anything else unchanged. Cut to a
/// sentence's length and without secrets; empty if it has no text.
[[nodiscard]] std::string words_of_error(const json::Value& error, const Secrets& secrets);

/// "The agent answered 500: no database." Needs: an answer that is not a success.
[[nodiscard]] CallFault bad_status(const HttpAnswer& answer, const Answerer& who);

}  // namespace parley::outbound
