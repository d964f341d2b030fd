#include "actors/model_answer.hpp"

#include "outbound/answer.hpp"

namespace parley::actors {
namespace {

VoidAnswer void_answer(const outbound::HttpAnswer& answer, CallFault fault,
                       const outbound::ChatEndpoint& endpoint) {
  const bool is_schema_refused = outbound::refuses_schema(answer);
  if (is_schema_refused) endpoint.habits->refuses_schema = true;
  // A fault quotes the beginning of the answer, which may cut a key in half, so the whole is masked and read again.
  const outbound::Secrets secrets = outbound::secrets_of(endpoint);
  outbound::HttpAnswer masked = answer;
  masked.body = outbound::without_secrets(std::move(masked.body), secrets);
  auto again = outbound::read_chat(masked);
  if (auto* told = std::get_if<CallFault>(&again)) fault = std::move(*told);
  fault.detail = outbound::without_secrets(std::move(fault.detail), secrets);
  return {fault, is_schema_refused || fault.code != "bad_status"};
}

void mask(std::optional<std::string>& text, const outbound::Secrets& secrets) {
  if (text) text = outbound::without_secrets(*std::move(text), secrets);
}

void mask(ChatAnswer& chat, const outbound::Secrets& secrets) {
  mask(chat.content, secrets);
  mask(chat.refusal, secrets);
  chat.model = outbound::without_secrets(std::move(chat.model), secrets);
  for (ChatCall& call : chat.calls) {
    call.name = outbound::without_secrets(std::move(call.name), secrets);
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
  auto read = outbound::read_chat(answer);
  if (auto* fault = std::get_if<CallFault>(&read)) return void_answer(answer, std::move(*fault), endpoint);
  auto& chat = std::get<ChatAnswer>(read);
  mask(chat, outbound::secrets_of(endpoint));
  return std::move(chat);
}

}  // namespace parley::actors
