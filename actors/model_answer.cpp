#include "actors/model_answer.hpp"

#include "outbound/answer.hpp"
#include "outbound/masking.hpp"

namespace parley::actors {
namespace {

VoidAnswer void_answer(const outbound::HttpAnswer& answer, CallFault fault,
                       const outbound::ChatEndpoint& endpoint) {
  const bool is_schema_refused = outbound::refuses_schema(answer);
  if (is_schema_refused) endpoint.habits->refuses_schema = true;
  const bool again = is_schema_refused || fault.code != "bad_status";
  return {std::move(fault), again};
}

void mask(std::optional<std::string>& text, const outbound::Secrets& secrets) {
  if (text) text = outbound::without_secrets(*text, secrets);
}

void mask(ChatAnswer& chat, const outbound::Secrets& secrets) {
  mask(chat.content, secrets);
  mask(chat.refusal, secrets);
  chat.model = outbound::without_secrets(chat.model, secrets);
  for (ChatCall& call : chat.calls) {
    call.name = outbound::without_secrets(call.name, secrets);
    const std::string masked = outbound::without_secrets(call.arguments.text, secrets);
    if (json::parse(masked).ok()) call.arguments.text = masked;  // digits of a number are no key
  }
}

}  // namespace

std::variant<ChatAnswer, VoidAnswer> chat_of(const outbound::HttpOutcome& outcome,
                                             const outbound::ChatEndpoint& endpoint) {
  if (const auto* failure = std::get_if<outbound::Failure>(&outcome))
    return VoidAnswer{outbound::fault_of(*failure), false};
  const auto& answer = std::get<outbound::HttpAnswer>(outcome);
  const outbound::Secrets secrets = outbound::secrets_of(endpoint);
  auto read = outbound::read_chat(answer, secrets);
  if (auto* fault = std::get_if<CallFault>(&read)) return void_answer(answer, std::move(*fault), endpoint);
  auto& chat = std::get<ChatAnswer>(read);
  mask(chat, secrets);
  return std::move(chat);
}

}  // namespace parley::actors
