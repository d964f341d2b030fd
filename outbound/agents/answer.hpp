#pragma once
/// The first step of reading any answer: returns the JSON object of a 2xx, or a fault whose sentence describes
/// what was received instead (F19, F21). Pure; any thread.

#include <variant>

#include "model/values/chat.hpp"
#include "outbound/agents/agent_turn.hpp"
#include "outbound/outgoing_call.hpp"

namespace parley::outbound {

/// The peer's name in sentences, such as "The agent", and the sent secrets, which no fault may repeat (D23, I67).
struct Answerer {
  std::string_view name;
  const Secrets& secrets;
};

/// The body without the byte order mark that some servers prepend.
[[nodiscard]] std::string_view without_bom(std::string_view body);
/// Converts foreign text to a form that a sentence can quote: truncated, on one line, without secrets.
[[nodiscard]] std::string in_quotes(std::string_view text, const Secrets& secrets);

/// Parses any JSON value. Faults: bad_status (with the answer's text), not_json.
[[nodiscard]] std::variant<json::Document, CallFault> json_of(const HttpAnswer& answer, const Answerer& who);
/// As above, but anything except an object is a wrong_shape.
[[nodiscard]] std::variant<json::Document, CallFault> object_of(const HttpAnswer& answer,
                                                                const Answerer& who);

/// Converts a failed call to a fault with the keyword and sentence of its kind.
[[nodiscard]] CallFault fault_of(const Failure& failure);

[[nodiscard]] bool is_success(const HttpAnswer& answer);
/// The text of an error that is reported as `{message}` or as plain text; the JSON of any other value.
/// Truncated to the length of a sentence and without secrets; empty if the error has no text.
[[nodiscard]] std::string words_of_error(const json::Value& error, const Secrets& secrets);

/// For example "The agent answered 500: no database." Needs: an answer that is not a success.
[[nodiscard]] CallFault bad_status(const HttpAnswer& answer, const Answerer& who);

}  // namespace parley::outbound
